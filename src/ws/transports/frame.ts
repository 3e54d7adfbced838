const FINAL_TEXT = 0x81
const LENGTH_16 = 126
const LENGTH_64 = 127

/**
 * Encodes a text as one unmasked WebSocket frame (RFC 6455, 5.2), to be shared by any number of sockets: `ws`
 * would build it for each of them.
 */
export function frameOf(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const header = length < LENGTH_16 ? 2 : length <= 0xffff ? 4 : 10
  const frame = Buffer.allocUnsafe(header + length)
  frame[0] = FINAL_TEXT
  if (header === 2) {
    frame[1] = length
  } else if (header === 4) {
    frame[1] = LENGTH_16
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = LENGTH_64
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, header)
  return frame
}

/**
 * Encodes a text as the same frame in Latin-1, which a socket writes without a buffer for it; undefined if
 * the text is long, or not ASCII.
 */
export function latin1FrameOf(text: string): string | undefined {
  const { length } = text
  if (length > 0xffff || Buffer.byteLength(text) !== length) return undefined
  if (length < LENGTH_16) return String.fromCharCode(FINAL_TEXT, length) + text
  return String.fromCharCode(FINAL_TEXT, LENGTH_16, length >> 8, length & 0xff) + text
}
