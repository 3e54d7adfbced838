const RUPEES = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 4 })
const CONTRACTS = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 })

/** Formats money as `₹10,00,000.00`; null is a dash. */
export function rupees(value: number | null): string {
  return value === null ? '-' : `${value < 0 ? '-' : ''}₹${RUPEES.format(Math.abs(value))}`
}

/** Formats a number of contracts as `1,250.5`. */
export function contracts(value: number): string {
  return CONTRACTS.format(value)
}
