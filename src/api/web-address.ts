const WEB_ADDRESS = /^https?:\/\/\S+$/i

/** Returns true for an absolute http or https address. */
export function isWebAddress(text: string): boolean {
  return WEB_ADDRESS.test(text) && URL.canParse(text)
}
