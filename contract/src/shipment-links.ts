import { z } from 'zod'
import { del, file, get, post } from './call.ts'
import { Done, Id, Instant, Locale, text } from './common.ts'
import { StopConditions } from './order-links.ts'
import { DocumentKind, LegMode, MilestoneKind, ShipmentState } from './shipments.ts'
import { Verdict } from './stats.ts'

/** Figures of links that browser and server agree on. */
export const shipmentLinkLimits = { defaultDays: 90, maxDays: 365 } as const

/** The address by which somebody without a login follows a shipment. It is a secret. */
export const ShipmentLink = z.object({
  id: Id,
  /** The one it is for. */
  label: z.string(),
  url: z.string(),
  /** Null: the browser's language. */
  locale: Locale.nullable(),
  showsDocuments: z.boolean(),
  createdAt: Instant,
  createdByName: z.string(),
  expiresAt: Instant,
  lastReadAt: Instant.nullable(),
})
export type ShipmentLink = z.infer<typeof ShipmentLink>

export const NewShipmentLink = z.strictObject({
  label: text(80),
  locale: Locale.nullable().default(null),
  showsDocuments: z.boolean().default(false),
  days: z.number().int().min(1).max(shipmentLinkLimits.maxDays).default(shipmentLinkLimits.defaultDays),
})

const Port = z.object({ name: z.string(), timezone: z.string() })
const words = z.string().nullable()

/** The page of a shipment: nothing by which people, prices, hardware or other shipments could be known. */
export const FollowedShipment = z.object({
  company: z.string(),
  /** The version of the company's logo, whose picture is a call of its own; null: none is shown. */
  logoVersion: z.string().nullable(),
  number: z.string(),
  reference: words,
  product: z.string(),
  state: ShipmentState,
  locale: Locale.nullable(),
  origin: z.object({ name: z.string(), country: z.string() }),
  destination: z.object({ name: z.string(), country: z.string() }),
  /** At the end of the last leg. */
  eta: Instant.nullable(),
  etaZone: z.string(),
  isLate: z.boolean(),
  legs: z.array(
    z.object({
      mode: LegMode,
      from: Port,
      to: Port,
      vesselName: words,
      voyage: words,
      flightNumber: words,
      containerNo: words,
      awb: words,
      etd: Instant.nullable(),
      eta: Instant.nullable(),
      atd: Instant.nullable(),
      ata: Instant.nullable(),
    }),
  ),
  milestones: z.array(z.object({ kind: MilestoneKind, occurredAt: Instant, timezone: z.string(), place: words })),
  /** Those of public devices alone. Null before the start, and without such devices. */
  conditions: z
    .object({
      verdict: Verdict,
      /** Why the verdict is `incomplete`; null: it is another one. */
      incompleteBecause: z.enum(['silent', 'noLimits', 'notShown']).nullable(),
      /** °C: the value furthest beyond the limits, or nearest to them. */
      worstC: z.number().nullable(),
      worstAt: Instant.nullable(),
      minC: z.number().nullable(),
      maxC: z.number().nullable(),
      humidity: StopConditions.shape.humidity,
    })
    .nullable(),
  documents: z.array(
    z.object({
      documentNo: z.number().int(),
      kind: DocumentKind,
      title: z.string(),
      type: z.string(),
      sizeBytes: z.number().int(),
    }),
  ),
  at: Instant,
})
export type FollowedShipment = z.infer<typeof FollowedShipment>

// Any text: one that is no token is answered as an unknown one is.
const Token = z.strictObject({ token: z.string() })
const edit = { needs: 'dispatch.addOrEdit' } as const
const open = { needs: 'public', auditOptional: true, countsMisses: true } as const

export const shipmentLinks = {
  list: get('/export/shipments/:id/links', {
    ...edit,
    summary: 'The links of a shipment’s page that were not revoked, newest first',
    returns: z.array(ShipmentLink),
  }),
  make: post('/export/shipments/:id/links', {
    ...edit,
    begins: 'other',
    summary: 'Makes a link by which somebody without a login follows a shipment',
    body: NewShipmentLink,
    returns: ShipmentLink,
  }),
  rotate: post('/export/shipment-links/:id/rotate', {
    ...edit,
    summary: 'Gives a link another token: the one before leads nowhere from now on',
    returns: ShipmentLink,
  }),
  revoke: del('/export/shipment-links/:id', {
    ...edit,
    summary: 'Revokes a link, at once and for ever',
    returns: Done,
  }),
  follow: post('/shipment-link', {
    ...open,
    summary: 'The page of a shipment, by its link; the token is in the body, so that no address holds it',
    body: Token.extend({ isOpening: z.boolean().default(false) }),
    returns: FollowedShipment,
  }),
  logo: post('/shipment-link/logo', {
    ...open,
    summary: 'The logo of the company on the page',
    body: Token,
    returns: file('image/png'),
  }),
  document: post('/shipment-link/document', {
    ...open,
    summary: 'A document of the shipment, where its link shows documents',
    body: Token.extend({ documentNo: z.number().int().min(1).max(2_147_483_647) }),
    returns: file('application/octet-stream'),
  }),
}
