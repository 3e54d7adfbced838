/** The file of a data directory that holds the operator's key. */
export const OPERATOR_KEY_FILE = 'operator.key'
