/** Made when first asked: most commands print no figure, and the first format takes 10 ms. */
let formats: { readonly rupees: Intl.NumberFormat; readonly contracts: Intl.NumberFormat } | undefined

function makeFormats() {
  return {
    rupees: new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 4 }),
    contracts: new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 }),
  }
}

/** Formats money as `₹10,00,000.00`; null is a dash. */
export function rupees(value: number | null): string {
  if (value === null) return '-'
  formats ??= makeFormats()
  return `${value < 0 ? '-' : ''}₹${formats.rupees.format(Math.abs(value))}`
}

/** Formats a number of contracts as `1,250.5`. */
export function contracts(value: number): string {
  formats ??= makeFormats()
  return formats.contracts.format(value)
}
