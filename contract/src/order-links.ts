import { z } from 'zod'
import { del, file, get, post } from './call.ts'
import { Done, Email, GivenInstant, Id, Instant, jsonField, namedFile, paragraph, text } from './common.ts'
import { Eta, eventSources, OrderState, Outcome, ReceiverState } from './orders.ts'
import { LatLon } from './places.ts'
import { BudgetState } from './record-budget.ts'
import { Verdict } from './stats.ts'

/** Figures that browser and server agree on. */
export const orderLinkLimits = {
  /** A link ends so many days after its token was made, or so many hours after its goods were handed over. */
  days: 90,
  hoursAfter: 72,
  photos: 4,
  photoBytes: 800_000,
  signatureBytes: 150_000,
  /** Conditions may have been on the screen for so long before somebody signs for them. */
  shownMinutes: 15,
  /** Positions that a phone tells at once; they are forgotten so many days after the order. */
  positions: 500,
  positionDays: 7,
  chartPoints: 96,
  /** Mails of receipts that are asked for within 24 hours: by one link, and in a company by links, or by its members. */
  receiptMails: { perLink: 5, perCompany: 1_000 },
} as const

/** The address by which a receiver or a driver opens their page. It is a secret. */
export const OrderLink = z.object({
  kind: z.enum(['driver', 'receiver']),
  url: z.string(),
  createdAt: Instant,
  /** At the latest: it ends sooner once everything is handed over. */
  expiresAt: Instant,
  lastReadAt: Instant.nullable(),
})
export type OrderLink = z.infer<typeof OrderLink>

const celsius = z.number().nullable()

/** The conditions of the goods for a receiver, from the start of the order to the hand-over, or so far. */
export const StopConditions = z.object({
  from: Instant,
  to: Instant,
  verdict: Verdict,
  /** The last reading of the device that is nearest to its limits, or furthest beyond them. */
  now: z.object({ temperatureC: z.number(), at: Instant }).nullable(),
  limits: z.object({ min: celsius, max: celsius }),
  /** The value furthest beyond the limits, or nearest to them. */
  worst: z.object({ temperatureC: z.number(), at: Instant, isOutside: z.boolean() }).nullable(),
  /** Time that the temperature was out of range, of the device that was out longest. */
  outMs: z.number(),
  /** Only where the humidity left its limits: the value furthest beyond them, percent, and the time out of the device that was out longest. */
  humidity: z
    .object({
      limits: z.object({ min: z.number().nullable(), max: z.number().nullable() }),
      worstPct: z.number(),
      at: Instant,
      outMs: z.number(),
    })
    .optional(),
  /** The least of the devices; null of a window without length. */
  coveragePct: z.number().nullable(),
  /** Percent of the stability budget's time that is left; null without one. One reading beyond a bound spends the budget, whatever is left of its time. */
  budget: z.object({ state: BudgetState.shape.state, leftPct: z.number().nullable() }).nullable(),
  readings: z.number().int(),
  devices: z.number().int(),
})
export type StopConditions = z.infer<typeof StopConditions>

export const StopChart = z.object({ atMs: z.array(z.number()), minC: z.array(celsius), maxC: z.array(celsius) })
export type StopChart = z.infer<typeof StopChart>

/** Conditions, and the hash that binds them to the readings. */
export const ShownConditions = z.object({ conditions: StopConditions, chart: StopChart.nullable(), sha256: z.string() })
export type ShownConditions = z.infer<typeof ShownConditions>

/** Goods that changed hands. */
export const HandOver = z.object({
  outcome: Outcome,
  reservation: z.string().nullable(),
  reason: z.string().nullable(),
  signerName: z.string().nullable(),
  signerRole: z.string().nullable(),
  occurredAt: Instant,
  recordedAt: Instant,
  /** Later readings changed what was signed: it is asked for again. */
  voidAt: Instant.nullable(),
})
export type HandOver = z.infer<typeof HandOver>

/** A mail with the receipt of a hand-over. */
export const ReceiptMail = z.object({
  /** An address, or the name of a member of the team. */
  to: z.string(),
  /** Sent by itself at the hand-over, by a member, or asked for on the receiver's page. */
  cause: z.enum(['handOver', 'person', 'receiverLink']),
  /** The member who sent it. */
  by: z.string().nullable(),
  /** Dropped: when it was to be sent, they could not have it any more. */
  state: z.enum(['waiting', 'sent', 'dropped']),
  /** When it was sent or dropped, or, of one that waits, asked for. */
  at: Instant,
})
export type ReceiptMail = z.infer<typeof ReceiptMail>

export const OrderHandOver = HandOver.extend({
  id: Id,
  receiverId: Id,
  source: z.enum(eventSources),
  by: z.string().nullable(),
  position: LatLon.nullable(),
  /** As they were shown, or, where nobody saw them, as they were known when it was recorded. Null without devices. */
  conditions: StopConditions.nullable(),
  wasShown: z.boolean(),
  contentSha256: z.string(),
  /** Readings came after it, which change nothing of its verdict: when that was seen last. */
  readingsAddedAt: Instant.nullable(),
  signatureSha256: z.string().nullable(),
  photos: z.array(z.object({ id: Id, sha256: z.string() })),
  /** SHA-256 of the receipt; null while it is being written. */
  receiptSha256: z.string().nullable(),
  /** The newest twenty, oldest first. */
  receiptMails: z.array(ReceiptMail),
})
export type OrderHandOver = z.infer<typeof OrderHandOver>

const PageItem = z.object({
  name: z.string(),
  quantity: z.number().int(),
  unitCount: z.number().int(),
  deliveredQuantity: z.number().int().nullable(),
  refusedReason: z.string().nullable(),
})
export type PageItem = z.infer<typeof PageItem>
const DriverItem = PageItem.extend({ weightG: z.number().int().nullable(), note: z.string().nullable() })
export type DriverItem = z.infer<typeof DriverItem>

const Windowed = {
  state: ReceiverState,
  windowFrom: Instant.nullable(),
  windowBy: Instant.nullable(),
  timezone: z.string(),
  eta: Eta.nullable(),
  postponedUntil: Instant.nullable(),
  postponedReason: z.string().nullable(),
  arrivedAt: Instant.nullable(),
  settledAt: Instant.nullable(),
}

/** The page of a receiver: their own stop, and nothing by which others, or hardware, could be known. */
export const TrackedStop = z.object({
  company: z.string(),
  /** The version of the company's logo, whose picture is a call of its own; null: none is shown, as beside the name of another sender. */
  logoVersion: z.string().nullable(),
  driver: z.string().nullable(),
  orderState: OrderState,
  address: z.string(),
  ...Windowed,
  items: z.array(PageItem),
  shown: ShownConditions.nullable(),
  /** Only while this stop is next, or near. */
  position: LatLon.extend({ at: Instant }).nullable(),
  place: LatLon,
  /** Whether the goods can be handed over by this page now; `away`: the vehicle is not here yet. */
  handOver: z.enum(['now', 'again', 'away', 'no']),
  handedOver: HandOver.nullable(),
  /** Whether the receipt can be mailed by this page: a hand-over stands, and the page may tell of its devices. */
  mailsReceipt: z.boolean(),
  /** Names what the page shows: sent back with the next question, so that what has not changed is not sent again. */
  stamp: z.string(),
  /** Seconds after which to ask again. */
  againS: z.number().int(),
  at: Instant,
})
export type TrackedStop = z.infer<typeof TrackedStop>

/** The page is still the one of the stamp that was sent. */
export const UnchangedStop = z.object({ isUnchanged: z.literal(true), againS: z.number().int(), at: Instant })
export type UnchangedStop = z.infer<typeof UnchangedStop>

/** A stop on the driver's page; `stop` is its place in the sequence, by which the driver's acts name it. */
export const DrivenStop = z.object({
  stop: z.number().int(),
  name: z.string(),
  company: z.string().nullable(),
  phone: z.string().nullable(),
  address: z.string(),
  place: LatLon,
  ...Windowed,
  items: z.array(DriverItem),
  departedAt: Instant.nullable(),
  handedOver: HandOver.nullable(),
  /** Given for the stop that is next, or was reached. Null before the start, and without devices that the page may show. */
  shown: ShownConditions.omit({ chart: true }).nullable(),
  /** A QR code of the receiver's own page, for the door: a text of 0 and 1 for each row. Null where there is no link, or nothing is left to do. */
  doorQr: z.array(z.string()).nullable(),
})
export type DrivenStop = z.infer<typeof DrivenStop>

export const DriverPage = z.object({
  company: z.string(),
  driver: z.string(),
  trackingCode: z.string(),
  state: OrderState,
  sender: z.object({ name: z.string(), address: z.string(), phone: z.string().nullable() }),
  pickup: LatLon,
  pickupAt: Instant.nullable(),
  timezone: z.string(),
  note: z.string().nullable(),
  startedAt: Instant.nullable(),
  /** The driver agreed that this phone tells its position while the order runs. */
  tellsPosition: z.boolean(),
  stops: z.array(DrivenStop),
  at: Instant,
})
export type DriverPage = z.infer<typeof DriverPage>

// Any text: one that is no token is answered as an unknown one is.
const Token = z.object({ token: z.string() }).strict()
const Stop = z.number().int().min(1).max(32_767)

/** An act of a driver. `at` is when they did it; the same `requestId` again does nothing. */
export const DriverAct = Token.extend({
  kind: z.enum(['start', 'arrive', 'depart', 'end']),
  /** Given with an arrival or a departure. */
  stop: Stop.nullable().default(null),
  at: GivenInstant,
  requestId: z.uuid(),
  position: LatLon.nullable().default(null),
})
export type DriverAct = z.infer<typeof DriverAct>

/** A driver agrees that the phone tells its position while the order runs, or does not any more: then all of it is forgotten. */
export const DriverAgreement = Token.extend({ agrees: z.boolean() })
export type DriverAgreement = z.infer<typeof DriverAgreement>

const PhonePosition = z.strictObject({
  at: GivenInstant,
  ...LatLon.shape,
  accuracyM: z.number().min(0).max(100_000).nullable().default(null),
})
export type PhonePosition = z.infer<typeof PhonePosition>
export const DriverPositions = Token.extend({ positions: z.array(PhonePosition).min(1).max(orderLinkLimits.positions) })
export type DriverPositions = z.infer<typeof DriverPositions>

const reason = paragraph(1_000).nullable().default(null)
const name = text(120).nullable().default(null)

/** The facts of a hand-over. Items by their place in the receiver's list, from 0; those that are left out were taken whole. */
export const HandOverFacts = z
  .strictObject({
    outcome: Outcome,
    /** Accepted, but with these doubts. */
    reservation: reason,
    /** Given with a refusal or a failure. */
    reason,
    items: z
      .array(
        z.strictObject({
          item: z.number().int().min(0).max(1_999),
          delivered: z.number().int().min(0).max(1_000_000),
          reason: text(300).nullable().default(null),
        }),
      )
      .max(2_000)
      .default([]),
    signerName: name,
    signerRole: name,
    at: GivenInstant,
    requestId: z.uuid(),
    position: LatLon.nullable().default(null),
    /** The end and the hash of the conditions that were on the screen; null where none were. */
    shown: z
      .strictObject({ to: GivenInstant, sha256: z.string().regex(/^[0-9a-f]{64}$/) })
      .nullable()
      .default(null),
  })
  .refine(({ outcome, reason }) => reason || (outcome !== 'refused' && outcome !== 'failed'), {
    message: 'outcomeReason',
    path: ['reason'],
  })
export type HandOverFacts = z.infer<typeof HandOverFacts>

const photo = namedFile(orderLinkLimits.photoBytes).optional()
const files = {
  /** PNG, as drawn on the glass. */
  signature: namedFile(orderLinkLimits.signatureBytes).optional(),
  ...{ photo1: photo, photo2: photo, photo3: photo, photo4: photo },
}
/** A form; `facts` is JSON. */
export const NewHandOver = z.strictObject({ facts: jsonField(HandOverFacts), ...files })
export type NewHandOver = z.infer<typeof NewHandOver>
export const LinkHandOver = NewHandOver.extend(Token.shape)
export type LinkHandOver = z.infer<typeof LinkHandOver>
export const DriverHandOver = LinkHandOver.extend({ stop: z.coerce.number().pipe(Stop) })
export type DriverHandOver = z.infer<typeof DriverHandOver>

/** The readers of a receipt that is mailed: people of the team, the receiver at their own address, or both. */
export const NewReceiptMails = z
  .strictObject({ recipients: z.array(Id).max(20).default([]), toReceiver: z.boolean().default(false) })
  .refine(({ recipients, toReceiver }) => toReceiver || recipients.length > 0, {
    ...{ message: 'recipientNeeded', path: ['recipients'] },
  })
export type NewReceiptMails = z.infer<typeof NewReceiptMails>

const view = { needs: 'dispatch.view' } as const
const edit = { needs: 'dispatch.addOrEdit' } as const
const open = { needs: 'public', auditOptional: true, countsMisses: true } as const
const form = {
  bodyKind: 'form',
  // The files, and what stands around them.
  maxBodyBytes: orderLinkLimits.photos * orderLinkLimits.photoBytes + orderLinkLimits.signatureBytes + 131_072,
} as const

export const orderLinks = {
  receiverLink: get('/dispatch/orders/:id/receivers/:receiverId/link', {
    ...edit,
    summary: 'The link of a receiver’s page; null where none was made, or it was revoked',
    returns: OrderLink.nullable(),
  }),
  rotateReceiverLink: post('/dispatch/orders/:id/receivers/:receiverId/link', {
    ...edit,
    summary: 'Makes the link of a receiver’s page, or gives it another token: the one before leads nowhere from now on',
    returns: OrderLink,
  }),
  revokeReceiverLink: del('/dispatch/orders/:id/receivers/:receiverId/link', {
    ...edit,
    auditOptional: true,
    summary: 'Revokes the link of a receiver’s page, at once; where there is none, nothing changes',
    returns: Done,
  }),
  driverLink: get('/dispatch/orders/:id/driver-link', {
    ...edit,
    summary: 'The link of the page of an order’s driver; null where none was made, or it was revoked',
    returns: OrderLink.nullable(),
  }),
  rotateDriverLink: post('/dispatch/orders/:id/driver-link', {
    ...edit,
    summary: 'Makes the link of the driver’s page, or gives it another token: the one before leads nowhere from now on',
    returns: OrderLink,
  }),
  revokeDriverLink: del('/dispatch/orders/:id/driver-link', {
    ...edit,
    auditOptional: true,
    summary: 'Revokes the link of the driver’s page, at once; where there is none, nothing changes',
    returns: Done,
  }),
  conditions: get('/dispatch/orders/:id/receivers/:receiverId/conditions', {
    ...view,
    summary:
      'The conditions of the goods for a receiver; null before the start, and without devices that the caller may see',
    returns: ShownConditions.nullable(),
  }),
  handOvers: get('/dispatch/orders/:id/handovers', {
    ...view,
    summary: 'The hand-overs of an order, those that became void included, oldest first',
    returns: z.array(OrderHandOver),
  }),
  handOver: post('/dispatch/orders/:id/receivers/:receiverId/handover', {
    ...edit,
    summary: 'Hands goods over in the name of a member',
    auditOptional: true,
    body: NewHandOver,
    ...form,
    returns: Done,
  }),
  receipt: get('/dispatch/orders/:id/receivers/:receiverId/receipt', {
    ...view,
    summary: 'The receipt of the hand-over that stands',
    returns: file('application/pdf'),
  }),
  mailReceipt: post('/dispatch/orders/:id/receivers/:receiverId/receipt/mail', {
    needs: 'dispatch.export',
    summary: 'Mails the receipt of the hand-over that stands',
    body: NewReceiptMails,
    returns: Done,
  }),
  handOverFile: get('/dispatch/handover-files/:id', {
    ...view,
    summary: 'A photo of a hand-over',
    returns: file('application/octet-stream'),
  }),
  signature: get('/dispatch/handovers/:id/signature', {
    ...view,
    summary: 'The signature of a hand-over, as it was drawn',
    returns: file('image/png'),
  }),
  track: get('/track/:token', {
    needs: 'public',
    hasRules: true,
    countsMisses: true,
    summary: 'The page of a receiver, by its link',
    returns: TrackedStop,
  }),
  readTrack: post('/track', {
    ...open,
    summary:
      'The same, with the token in the body, so that no address holds it; with a stamp only what has changed since',
    body: Token.extend({ isOpening: z.boolean().default(false), stamp: z.string().max(64).nullable().default(null) }),
    returns: z.union([TrackedStop, UnchangedStop]),
  }),
  trackLogo: post('/track/logo', {
    ...open,
    summary: 'The logo of the company on the page of a receiver',
    body: Token,
    returns: file('image/png'),
  }),
  trackHandOver: post('/track/handover', {
    ...open,
    summary:
      'The receiver takes the goods, or refuses them: while the vehicle is at the stop, or a member says that it is',
    body: LinkHandOver,
    ...form,
    returns: TrackedStop,
  }),
  trackReceipt: post('/track/receipt', {
    ...open,
    summary: 'Mails the receipt to an address that the receiver gives, in the language of the page',
    body: Token.extend({ email: Email }),
    returns: Done,
  }),
  drive: post('/drive', {
    ...open,
    summary: 'The page of a driver, by its link',
    body: Token.extend({ isOpening: z.boolean().default(false) }),
    returns: DriverPage,
  }),
  driveAct: post('/drive/acts', {
    ...open,
    summary: 'The driver starts the order, arrives, departs, or ends it; possibly told later',
    body: DriverAct,
    returns: Done,
  }),
  driveAgreement: post('/drive/agreement', {
    ...open,
    summary: 'The driver lets the phone tell its position while the order runs, or ends that',
    body: DriverAgreement,
    returns: Done,
  }),
  drivePositions: post('/drive/positions', {
    ...open,
    summary: 'Positions of the driver’s phone; without the agreement, or outside of the order, they are dropped',
    body: DriverPositions,
    returns: Done,
  }),
  driveHandOver: post('/drive/handover', {
    ...open,
    summary: 'The driver hands goods over, or says that they were refused; possibly told later',
    body: DriverHandOver,
    ...form,
    returns: Done,
  }),
}
