import { z } from 'zod'
import { countryCodes } from './countries.ts'
import { limits } from './limits.ts'

/** Every id is a string of digits in JSON, whatever the database keeps; 18 digits fit its int8. */
export const Id = z.string().regex(/^[1-9]\d{0,17}$/)
/** The number of changes of a thing, from 1: a change names the one that it was made from, else CHANGED_MEANWHILE. */
export const Version = z.number().int().min(1).max(2_147_483_647)
/** Where a change need not name it: without it the change is made whatever others changed meanwhile. */
export const SeenVersion = Version.optional()
export const Done = z.object({ done: z.literal(true) })
export const done = { done: true } as const

export const Instant = z.iso.datetime({ offset: true })
/** One that somebody gives: of the years 1000 to 9989, so that what is worked out from it has four digits in its year, too. */
export const GivenInstant = Instant.refine((text) => !/^(?:0\d{3}|999\d)-\d\d-\d\dT/.test(text), 'instantRange')
export const localeNames = ['en', 'fr', 'es', 'sw'] as const
export const Locale = z.enum(localeNames)
export type Locale = z.infer<typeof Locale>

// No control characters: a NUL alone would break PostgreSQL's text. The patterns stand in the API's document, where programs in other languages and
// without Unicode mode read them: they have no \p, and take an emoji as one sign or as two halves.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it leaves out
const printable = /^[^\u0000-\u001f\u007f-\u009f]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it leaves out
export const printableLines = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$/
/** The name of the format, as the patterns above have it. */
const unprintable = 'printable'
/** No half of an emoji: a check beside the pattern, for no pattern says it in all languages. */
export const wholeLetters = ({ value, issues }: z.core.ParsePayload<string>) => {
  if (/\p{Cs}/u.test(value))
    issues.push({ code: 'invalid_format', format: 'regex', input: value, message: unprintable })
}
const seen = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u
/** A text in the one form that all its spellings have (é may be one sign or two); empty where nobody sees any of it. */
const inOneForm = (written: string) => (seen.test(written) ? written.normalize('NFC') : '')
/** One line of text, trimmed, at most `max` characters; without control characters. */
export const text = (max: number, min = 1) =>
  z.string().trim().overwrite(inOneForm).min(min).max(max).regex(printable, 'printable').check(wholeLetters)
/** A field of a form that is JSON. */
export const jsonField = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((written, context): unknown => {
      try {
        return JSON.parse(written)
      } catch {
        context.addIssue({ code: 'invalid_type', expected: 'object', input: written })
        return z.NEVER
      }
    })
    .pipe(schema)

const fileName = text(120)
/** A file of at most so many bytes, whose name is a line of text. */
export const namedFile = (maxBytes: number) =>
  z
    .file()
    .min(1)
    .max(maxBytes)
    .refine(({ name }) => fileName.safeParse(name).success, 'fileName')

/** Several lines. */
export const paragraph = (max: number) =>
  z.string().trim().overwrite(inOneForm).max(max).regex(printableLines, 'printable').check(wholeLetters)

/** The words of a text, as server and browser count them. */
export const countWords = (written: string): number => {
  const trimmed = written.trim()
  return trimmed === '' ? 0 : trimmed.split(/\s+/).length
}

// "H.No/12", of an address, is no domain of Norway.
const webLink = /:\/\/|(?<![\p{L}\p{N}])www\.|[\p{L}\p{N}]\.(?!no\/\d)(?:\p{L}{2,}|xn--[a-z0-9-]+)\//iu
/** The name of a person or company. Without links: names go out in mails to any address, under our name. */
export const personalName = (max: number) =>
  text(max).refine((value) => !webLink.test(value.normalize('NFKC')), 'linkInName')
/** The dot of a bare domain ("evil.com"), of which mail programs make a link as well. */
const domainDot = /(?<=[\p{L}\p{M}\p{N}])\.(?!no\/\d)(?=\p{L}[\p{L}\p{M}])/giu
/**
 * A text whose links no mail program makes clickable: spaces part them. A bare domain may be a name ("Booking.com", "Dr.Who"): a space without
 * width parts it, which nobody sees. For mails to whoever is none of the company's people.
 */
export const withoutLink = (written: string): string => {
  const folded = written.normalize('NFKC')
  if (!webLink.test(folded) && folded.search(domainDot) < 0) return written
  const parted = (word: string) => word.replaceAll('://', ': //').replace(/\.(?=\S)/g, '. ')
  return folded.replace(/\S+/g, (word) => (webLink.test(word) ? parted(word) : word.replace(domainDot, '.\u200b')))
}

const utf8 = new TextEncoder()
/** A web address, kept as it is written: without control characters, and at most `max` bytes long (an index holds no more than 2,700). */
export const webAddress = (protocol: RegExp, max: number) =>
  z
    .url({ protocol })
    .max(max)
    .regex(printable, 'printable')
    .check(wholeLetters)
    .check(({ value, issues }) => {
      if (utf8.encode(value).length > max)
        issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value, continue: true })
    })

export const Email = z.string().trim().toLowerCase().max(254).check(z.email())
export const Password = z.string().min(limits.passwordMin).max(limits.passwordMax)
/** E.164, such as +2348012345678. */
export const Phone = z
  .string()
  .trim()
  .regex(/^\+[1-9]\d{6,14}$/, 'phone')
/** ISO 3166-1 alpha-2. */
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'country', abort: true })
  .refine((code) => countryCodes.includes(code), 'country')
export const Imei = z.string().regex(/^\d{15}$/, 'imei')

// Not by the engine's list, which has one name of each zone: Asia/Calcutta, while other browsers say Asia/Kolkata.
const isZone = (name: string) => {
  // Three letters are many zones, or another one to the database.
  if (!/^(?:UTC|GMT|(?!SystemV)[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)+)$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
/** An IANA time zone name. */
export const TimeZone = z.string().max(64).refine(isZone, 'timeZone')

/** The rule of a 422 that a start and an end (ms since 1970) break, or null. Equal ones are named in the words of the pickers. */
export const orderFault = (start: number, end: number): 'startAfterEnd' | 'startNotBeforeEnd' | null =>
  start > end ? 'startAfterEnd' : start === end ? 'startNotBeforeEnd' : null

/** Refuses an object whose instant `start` is not before its instant `end`; either may be missing. */
export const startBeforeEnd =
  <S extends string, E extends string>(start: S, end: E) =>
  (value: { [K in S | E]?: string | undefined }, context: z.RefinementCtx) => {
    const message = orderFault(Date.parse(value[start] ?? ''), Date.parse(value[end] ?? ''))
    if (message) context.addIssue({ code: 'custom', message, path: [start] })
  }

const periodFields = { from: GivenInstant, to: GivenInstant }
// If a timestamp is malformed, report only the format error, not the ordering error.
const inOrder = (period: { from: string; to: string }) => !(Date.parse(period.from) > Date.parse(period.to))
const tooLong = { message: 'periodTooLong', path: ['to'], params: { limit: limits.maxPeriodDays } }
const notTooLong = (period: { from: string; to: string }) =>
  !(Date.parse(period.to) - Date.parse(period.from) > limits.maxPeriodDays * 86_400_000)

/** A period `from`..`to`, and whatever other fields are given with it. */
export const periodWith = <S extends z.ZodRawShape>(shape: S) =>
  z
    .strictObject({ ...periodFields, ...shape })
    .refine((value) => inOrder(value as unknown as { from: string; to: string }), {
      message: 'startAfterEnd',
      path: ['from'],
    })
    .refine((value) => notTooLong(value as unknown as { from: string; to: string }), tooLong)
export const Period = periodWith({})
export type Period = z.infer<typeof Period>

/** A period of which either end may be left out, and whatever other fields are given with it. */
export const openPeriodWith = <S extends z.ZodRawShape>(shape: S) => {
  const whole = (value: { from?: string; to?: string }) => value.from !== undefined && value.to !== undefined
  return z
    .strictObject({ from: GivenInstant.optional(), to: GivenInstant.optional(), ...shape })
    .refine((value) => !whole(value as never) || inOrder(value as never), { message: 'startAfterEnd', path: ['from'] })
    .refine((value) => !whole(value as never) || notTooLong(value as never), tooLong)
}
