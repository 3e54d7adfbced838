import { createPrivateKey, createPublicKey } from 'node:crypto'
import { secretBytes } from '../../access/secrets.js'

/** The key of a NATS user (NKey): the part that servers know, and the line of the user's own file. */
export interface NatsKey {
  readonly publicKey: string
  readonly seed: string
}

/** The beginning of a private key of Ed25519 in DER. */
const DER = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Prefixes by which a seed begins with SU, and a public key with U. */
const [SEED_OF_USER, USER] = [Buffer.from([0x95, 0x00]), Buffer.from([0xa0])]
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const CRC16 = 0x1021

/** Makes a key; the client of NATS, which could, is too large to be loaded for it. */
export function newNatsKey(): NatsKey {
  const seed = secretBytes(32)
  const key = createPrivateKey({ key: Buffer.concat([DER, seed]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const publicKey = encoded(Buffer.concat([USER, Buffer.from(x, 'base64url')]))
  return { publicKey, seed: `${encoded(Buffer.concat([SEED_OF_USER, seed]))}\n` }
}

/** Returns bytes and their checksum in base 32. */
function encoded(bytes: Buffer): string {
  const sum = checksum(bytes)
  let [text, bits, length] = ['', 0, 0]
  for (const byte of [...bytes, sum & 0xff, sum >> 8]) {
    bits = ((bits << 8) | byte) & 0xfff
    length += 8
    for (; length >= 5; length -= 5) text += LETTERS[(bits >> (length - 5)) & 31]
  }
  return length === 0 ? text : text + LETTERS[(bits << (5 - length)) & 31]
}

/** Returns the CRC-16 of XMODEM. */
function checksum(bytes: Buffer): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 8
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & 0x8000 ? CRC16 : 0)) & 0xffff
  }
  return sum
}
