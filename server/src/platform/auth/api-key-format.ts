import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The beginning of every key, by which scanners of leaked secrets know them. */
export const keyPrefix = 'isokey_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bodySigns = 43
const checkSigns = 6
const shape = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${bodySigns + checkSigns}}$`)

function base62(value: bigint, width: number): string {
  let [text, rest] = ['', value]
  for (; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text.padStart(width, '0')
}

const checkOf = (text: string) => base62(BigInt(crc32(text)), checkSigns)

/** The secret of a key: 256 bits of `random`, in 43 signs, and 6 signs by which a mistyped one is known without a look-up. */
export function newApiKey(random: Buffer = randomBytes(32)): string {
  const text = keyPrefix + base62(BigInt(`0x${random.toString('hex')}`), bodySigns)
  return text + checkOf(text)
}

/** A sign as it stands in an address: itself, or percent-encoded. */
const inAddress = (sign: string) => {
  const digits = sign.charCodeAt(0).toString(16)
  return `(?:${sign}|%${digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)})`
}
const prefixInAddress = [...keyPrefix].map(inAddress).join('')
const keyInText = new RegExp(`${prefixInAddress}[0-9A-Za-z%]+`, 'g')
const beginsKey = new RegExp(prefixInAddress)

/** Whether a key, or its beginning, stands in an address, percent-encoded or not. */
export const holdsKey = (address: string): boolean => beginsKey.test(address)

/** An address, or a text with addresses in it, with `mark` in the place of the secret signs of keys. */
export const withoutKeys = (text: string, mark: string): string => text.replace(keyInText, `${keyPrefix}${mark}`)

/** Whether a bearer token says that it is a key, well formed or not. */
export const isApiKey = (token: string): boolean => token.startsWith(keyPrefix)

/** Whether a token has the shape of a key, and its check signs are right. */
export const isWellFormed = (token: string): boolean =>
  shape.test(token) && checkOf(token.slice(0, -checkSigns)) === token.slice(-checkSigns)
