/** The size and hash of a file as it is stored, encrypted. */
export interface EncryptedFile {
  readonly bytes: number
  readonly sha256: string
}
