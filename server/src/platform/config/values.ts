import { isIP } from 'node:net'
import { z } from 'zod'

// Messages complete the sentence "PORT ...". No value is repeated in them: several of these hold passwords.

/** A whole number from `least` to `most`. */
export const count = (least: number, most: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .transform(Number)

/** A TCP port; 0 takes a free one. */
export const port = count(0, 65_535)

export const portOrOff = z.union([z.literal('off').transform(() => null), port], {
  error: 'must be a port (0 to 65535) or off',
})

export const onOff = z.enum(['on', 'off'], { error: 'must be on or off' }).transform((value) => value === 'on')

/** A variable of the design that this version cannot follow: refused, because ignoring it would surprise. */
export const notYet = (fact: string) => z.never({ error: `must be unset: in this version ${fact}` }).optional()

export const url = (...schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)), {
    error: `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  })

/** Whether a host can be reached from this machine only. */
export const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host)

/** The address of map tiles. */
export const template = url('http', 'https').refine(
  (text) => ['{z}', '{x}', '{y}'].every((part) => text.includes(part)),
  {
    error: 'must contain {z}, {x} and {y}',
  },
)

/** The address of a search. */
export const question = url('http', 'https').refine((text) => text.includes('{q}'), { error: 'must contain {q}' })

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A length of time such as 90s, 15m, 12h or 30d, of a minute to ten years; in milliseconds. */
export const duration = z
  .string()
  .regex(/^[1-9]\d{0,6}[smhd]$/, { error: 'must be a number with s, m, h or d, as in 15m, 12h or 30d' })
  .transform((text) => Number(text.slice(0, -1)) * unitMs[text.slice(-1) as keyof typeof unitMs])
  .refine((ms) => ms >= unitMs.m && ms <= 3_650 * unitMs.d, {
    error: 'must be from a minute (1m) to ten years (3650d)',
  })

/** "per account/per address/seconds", as in 10/60/900. */
export const limit = z
  .string()
  .regex(/^[1-9]\d{0,6}\/[1-9]\d{0,6}\/[1-9]\d{0,6}$/, {
    error: 'must be "tries per account/tries per address/seconds", as in 10/60/900',
  })
  .transform((text) => {
    const [perAccount = 0, perAddress = 0, windowS = 0] = text.split('/').map(Number)
    return { perAccount, perAddress, windowS }
  })

/** "in all/of one", as in 10000/500. */
export const ceiling = z
  .string()
  .regex(/^[1-9]\d{0,6}\/[1-9]\d{0,6}$/, { error: 'must be two whole numbers with a slash between, as in 10000/500' })
  .transform((text) => text.split('/').map(Number) as [number, number])

/**
 * Which proxies may name the client's address: how many stand before us, or their addresses. Plain `true` is refused:
 * it would let every client choose its own address.
 */
export const proxies = z
  .string()
  .refine((text) => /^\d$/.test(text) || text.split(',').every(isNetwork), {
    error: 'must be the number of proxies before this server (1), or their addresses, as in 10.0.0.0/8,127.0.0.1',
  })
  .transform((text) => (/^\d$/.test(text) ? Number(text) : text.split(',').map((part) => part.trim())))

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.trim().split('/')
  if (['loopback', 'linklocal', 'uniquelocal'].includes(address)) return bits === undefined
  return rest.length === 0 && isIP(address) > 0 && (bits === undefined || /^\d{1,3}$/.test(bits))
}
