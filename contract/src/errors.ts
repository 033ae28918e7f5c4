import type { z } from 'zod'

/** The closed list of error codes with their HTTP status. Texts: locales, namespace `errors`, key `codes.<CODE>`. */
export const errorStatus = {
  VALIDATION: 422,
  UNAUTHENTICATED: 401,
  /** The call asks for a proof of who calls that is not older than 15 minutes. */
  PROOF_NEEDED: 400,
  /** The same, for a proof at the issuer of the company: the person has no password. */
  SSO_PROOF_NEEDED: 400,
  SECOND_FACTOR_WRONG: 400,
  /** The company asks for a second factor, and the person has none yet: the session may enrol one and nothing else. */
  SECOND_FACTOR_NEEDED: 400,
  SECOND_FACTOR_ON: 400,
  SECOND_FACTOR_OFF: 400,
  PASSKEYS_UNAVAILABLE: 400,
  PASSKEY_REFUSED: 400,
  /** Without it the person could not log in any more. */
  LAST_WAY_IN: 400,
  /** One answer for whatever goes wrong at a single sign-on: the reason is in the trail and the log only. */
  SSO_REFUSED: 400,
  SSO_NOT_READY: 400,
  /** The company takes no password of this person any more. */
  SSO_NEEDED: 400,
  DOMAIN_TAKEN: 400,
  DOMAIN_NOT_PROVED: 400,
  /** The last proved domain of a company whose single sign-on is on. */
  DOMAIN_NEEDED: 400,
  /** An API key that was ended by somebody, or by its date. */
  KEY_REVOKED: 401,
  KEY_EXPIRED: 401,
  /** An API key that is used from none of the networks that it may be used from. */
  KEY_WRONG_NETWORK: 401,
  KEY_JUST_ROTATED: 400,
  KEY_IN_ADDRESS: 400,
  /** An endpoint of webhooks that is off gets no tests, and nothing again. */
  ENDPOINT_OFF: 400,
  REPLAY_UNDER_WAY: 400,
  /** A sandbox is for trying: what costs money or reaches somebody outside is closed there. */
  SANDBOX_CLOSED: 400,
  SANDBOX_EXISTS: 400,
  SANDBOX_NONE: 400,
  SANDBOX_WINDING: 400,
  /** The clock of a sandbox never passes the real time. */
  SANDBOX_CLOCK_END: 400,
  INVALID_CREDENTIALS: 400,
  EMAIL_NOT_VERIFIED: 400,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  MALFORMED_BODY: 400,
  TOO_MANY_REQUESTS: 429,
  /** Refused before anything began, so the same call may be sent again; OVERLOADED may have begun. */
  BUSY: 503,
  OVERLOADED: 503,
  INTERNAL: 500,
  LINK_INVALID: 400,
  /** No address is set that EPCIS documents are sent to. */
  CAPTURE_NOT_SET: 400,
  /** The cursor of an export is too old, or of a time before the data was restored: it begins anew. */
  CURSOR_OVER: 400,
  /** A shipment to which nothing happened yet has no events. */
  EPCIS_EMPTY: 400,
  /** Events go to a receiver from somebody who sees all devices of the shipment. */
  EPCIS_DEVICES_HIDDEN: 400,
  /** The file of an earlier push is gone, and nobody knows what its receiver has. */
  EPCIS_HELD_UNKNOWN: 400,
  PUSH_NOT_FAILED: 400,
  /** A newer push of the shipment was made. */
  PUSH_OUTDATED: 400,
  SHIPMENT_LINKS_FULL: 400,
  EMAIL_TAKEN: 400,
  WRONG_PASSWORD: 400,
  SAME_PASSWORD: 400,
  ADMIN_READ_ONLY: 400,
  ADMIN_NEEDED: 400,
  GRANT_EXCEEDS_OWN: 400,
  LAST_ADMIN: 400,
  NOT_YOURSELF: 400,
  ALREADY_ACTIVE: 400,
  /** One answer for hardware that is unknown or in use, and for a wrong code: none tells which numbers there are. */
  CLAIM_REFUSED: 400,
  LICENCE_INVALID: 400,
  LICENCE_USED: 400,
  SUBSCRIPTION_EXPIRED: 400,
  LIMIT_REACHED: 400,
  DEVICE_DECOMMISSIONED: 400,
  DEVICE_IN_SERVICE: 400,
  /** The company has its sample device already, or the last one is being removed. */
  SAMPLE_EXISTS: 400,
  /** A sample device takes no licence and no hardware, and stays what it is. */
  SAMPLE_DEVICE: 400,
  LICENCE_NEEDED: 400,
  FLIGHT_MODE_ON: 400,
  SESSION_ENDED: 400,
  LIMITS_CROSSED: 400,
  NOT_TOLD: 400,
  GROUP_FULL: 400,
  LIMITS_NEEDED: 400,
  TRIGGER_PENDING: 400,
  TRIGGER_FULL: 400,
  ROTA_FULL: 400,
  NOT_ON_CALL: 400,
  RECORD_OVERLAPS: 400,
  RECORD_OVERLAPS_UNSEEN: 400,
  RECORD_STARTED: 400,
  RECORD_NOT_STARTED: 400,
  RECORD_ENDED: 400,
  RECORD_NOT_ENDED: 400,
  RECORD_EMPTY: 400,
  RECORD_FULL: 400,
  RECORD_SIGNED: 400,
  RECORD_CHANGED: 400,
  RECORD_SIGNED_MEANWHILE: 400,
  RECORD_SIGNED_SO: 400,
  RECORD_PARTLY_HIDDEN: 400,
  FILE_REFUSED: 400,
  FILE_MISNAMED: 400,
  /** Content that is neither PNG nor JPEG. */
  PICTURE_REFUSED: 400,
  PICTURE_TOO_LARGE: 400,
  PICTURE_BROKEN: 400,
  /** A picture of which nothing is seen on white paper. */
  PICTURE_BLANK: 400,
  FILE_INFECTED: 400,
  FILE_NOT_SCANNED: 503,
  CHECKPOINTS_INVALID: 400,
  /** The company has as much of something as it may have; the sentence names what and how much. */
  QUOTA_EXCEEDED: 400,
  /** So many reports of the person, or of the company, are not built yet. */
  REPORTS_WAITING: 429,
  /** The server's disk is nearly full: nothing large is taken for now. */
  STORAGE_LOW: 503,
  /** The bucket that keeps files does not answer: nothing was stored or read. */
  FILES_UNREACHABLE: 503,
  /** Nothing is sold here, or not in the company's currency. */
  PAYMENTS_OFF: 400,
  BILLING_DETAILS_NEEDED: 400,
  NOT_SOLD: 400,
  /** The price is not the one that was shown. */
  PRICE_CHANGED: 400,
  /** As many payments of the company wait for a payer as may. */
  PAYMENT_UNDER_WAY: 400,
  INVOICES_OWED: 400,
  /** The payment provider refuses a payment like this one: nothing was paid. */
  PAYMENT_REFUSED: 400,
  /** The payment provider gave no answer: nothing was paid. */
  PROVIDER_UNREACHABLE: 503,
  /** The bank refused the charge of a saved card: nothing was paid. */
  PAYMENT_DECLINED: 400,
  /** The saved card has expired, or was refused for good. */
  CARD_UNUSABLE: 400,
  /** The provider keeps cards with a payment only. */
  CARD_NEEDS_PAYMENT: 400,
  /** Another call has come with the same key. */
  IDEMPOTENCY_MISMATCH: 400,
  IDEMPOTENCY_NOT_KEPT: 400,
  /** The plan is not on sale, or not by payment. */
  PLAN_NOT_SOLD: 400,
  CURRENCY_NOT_SOLD: 400,
  /** The change of plan would be done otherwise than was shown. */
  QUOTE_STALE: 400,
  ALREADY_CANCELLED: 400,
  /** The next period is to be paid first. */
  PERIOD_UNPAID: 400,
  NOTHING_OWED: 400,
  /** No subscription pays for the device. */
  NOT_SUBSCRIBED: 400,
  NO_FREE_PLACE: 400,
  DEVICE_LICENSED: 400,
  REGISTRATION_CLOSED: 400,
  INVITATION_NEEDED: 400,
  ORDER_STARTED: 400,
  ORDER_NOT_STARTED: 400,
  TREATMENT_NEEDS_PROBES: 400,
  /** Nobody has read the authority's own text, and the company's export settings do not let it be chosen. */
  PROTOCOL_UNVERIFIED: 400,
  TREATMENT_NO_GAP: 400,
  TREATMENT_FULL: 400,
  TREATMENT_NOT_STARTED: 400,
  ORDER_LINK_OVER: 400,
  ORDER_OVER: 400,
  ORDER_CODE_WRONG: 400,
  ORDER_NOT_ON_ITS_WAY: 400,
  ORDER_TOO_EARLY: 400,
  RECEIVER_SETTLED: 400,
  RECEIVER_OPEN: 400,
  TIME_OUT_OF_ORDER: 400,
  DRIVER_NEEDED: 400,
  DRIVER_INACTIVE: 400,
  DRIVER_BUSY: 400,
  VEHICLE_NEEDED: 400,
  VEHICLE_BUSY: 400,
  VEHICLE_UNAVAILABLE: 400,
  DEVICE_BUSY: 400,
  DEVICE_BUSY_UNSEEN: 400,
  PRE_COOL_NEEDED: 400,
  INSURANCE_PENDING: 400,
  INSURANCE_MISMATCH: 400,
  ALREADY_INSURED: 400,
  INSURANCE_TOO_LATE: 400,
  NOT_INSURED: 400,
  PLAN_NOT_FITTING: 400,
  IN_USE: 400,
  PLACE_IN_USE: 400,
  PLATE_TAKEN: 400,
  CHANGED_MEANWHILE: 400,
  RECORD_OF_ORDER: 400,
  SHIPMENT_STARTED: 400,
  SHIPMENT_NOT_STARTED: 400,
  SHIPMENT_OVER: 400,
  /** The milestone happens once, and was noted. */
  MILESTONE_KNOWN: 400,
  /** The milestone was corrected, or withdrawn. */
  MILESTONE_REPLACED: 400,
  CONTAINER_BUSY: 400,
  DEVICE_ON_SHIPMENT: 400,
  DEVICE_ON_SHIPMENT_UNSEEN: 400,
  SHIPMENT_FULL: 400,
  RECORD_OF_SHIPMENT: 400,
  HANDOVER_CHANGED: 400,
  NOT_AT_THE_STOP: 400,
  /** A file of the company is on its way: one at a time. */
  UPLOAD_RUNNING: 400,
  /** The rows of the same file were added minutes ago. */
  ALREADY_UPLOADED: 400,
  /** As many files in a day as a company may send. */
  UPLOADS_FULL: 400,
} as const
export type ErrorCode = keyof typeof errorStatus

/** A sentence to be: a key of namespace `errors` with its values. Both sides translate it alike. */
export interface Message {
  key: string
  values: Record<string, string | number>
}

interface Issue {
  code?: string
  path: PropertyKey[]
  message: string
  [key: string]: unknown
}

/** Turns zod's issues into messages by field, so that browser and server speak of a mistake in the same words. */
export function messagesOf(error: { issues: readonly z.core.$ZodIssue[] }): { path: string; message: Message }[] {
  return error.issues.flatMap((raw) => {
    const issue = raw as unknown as Issue
    const path = issue.path.map(String).join('.')
    if (issue.code === 'unrecognized_keys')
      return (issue.keys as string[]).map((key) => ({
        path: path ? `${path}.${key}` : key,
        message: { key: 'fields.unknown', values: {} },
      }))
    return [{ path, message: messageOf(issue) }]
  })
}

const sizes: Record<string, string> = { string: 'Text', array: 'List', number: 'Number', int: 'Number', file: 'File' }
const types: Record<string, string> = {
  string: 'fields.type.string',
  number: 'fields.type.number',
  int: 'fields.type.int',
  boolean: 'fields.type.boolean',
  object: 'fields.type.object',
  record: 'fields.type.object',
  array: 'fields.type.array',
  tuple: 'fields.type.array',
  date: 'fields.type.date',
  file: 'fields.type.file',
}
const megabyte = 1024 * 1024
const formats = new Set(['email', 'datetime', 'date', 'url', 'uuid'])

function messageOf(issue: Issue): Message {
  const size = sizes[String(issue.origin)] ?? 'Text'
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && / undefined/.test(issue.message)
        ? { key: 'fields.required', values: {} }
        : { key: types[String(issue.expected)] ?? 'fields.invalid', values: {} }
    case 'too_small':
      if (issue.minimum === 1 && (issue.origin === 'string' || issue.origin === 'array'))
        return { key: issue.origin === 'string' ? 'fields.required' : 'fields.chooseOne', values: {} }
      return { key: `fields.tooSmall${size}`, values: { limit: Number(issue.minimum) } }
    case 'too_big':
      // A file's size is said in megabytes.
      if (size === 'File') return { key: 'fields.tooBigFile', values: { limit: Number(issue.maximum) / megabyte } }
      return { key: `fields.tooBig${size}`, values: { limit: Number(issue.maximum) } }
    case 'invalid_value':
      return { key: 'fields.choice', values: { choices: (issue.values as unknown[]).map(String).join(', ') } }
    case 'invalid_format':
      return formats.has(String(issue.format))
        ? { key: `fields.format.${String(issue.format)}`, values: {} }
        : { key: `fields.format.${namedFormat(issue.message)}`, values: {} }
    case 'custom':
      return { key: `fields.rule.${issue.message}`, values: (issue.params as Message['values']) ?? {} }
    default:
      return { key: 'fields.invalid', values: {} }
  }
}

const namedFormat = (message: string) => (/^[a-zA-Z]+$/.test(message) ? message : 'other')
