import { z } from 'zod'
import { del, file, get, post, put } from './call.ts'
import { Done, GivenInstant, Id, Instant, Locale, paragraph, text, Version } from './common.ts'
import { IssuedReport } from './device-reports.ts'
import { Paging, pageOf } from './paging.ts'
import { DevicePlace } from './shipments.ts'

/** Figures of cold treatments that browser and server agree on. */
export const treatmentLimits = {
  verifiedGaps: 100,
  /** Stretches and interruptions that an answer lists, the newest; the clock counts all. */
  listed: 100,
} as const

/** A schedule of an authority. Temperatures in °C. */
export const ColdProtocol = z.object({
  id: z.string(),
  /** ISO 3166 or EU. */
  market: z.string(),
  /** As the source writes it. */
  commodity: z.string(),
  pest: z.string(),
  /** Ways to fulfil it, the strictest first. */
  rows: z.array(z.object({ maxC: z.number(), days: z.number().int() })),
  minC: z.number().nullable(),
  probes: z.number().int(),
  maxGapMin: z.number().int(),
  maxStepC: z.number().nullable(),
  startC: z.number().nullable(),
  precoolC: z.number().nullable(),
  source: z.string(),
  /** A day. */
  checkedOn: z.string(),
  /** False: nobody has read the authority's own text. */
  verified: z.boolean(),
})
export type ColdProtocol = z.infer<typeof ColdProtocol>

export const ProtocolChoice = ColdProtocol.extend({
  /** The export settings of the company let it be chosen. */
  isAllowed: z.boolean(),
})
export type ProtocolChoice = z.infer<typeof ProtocolChoice>

/** A corrected temperature of a probe in an hour. */
export const ProbePeak = z.object({ deviceId: Id, celsius: z.number(), at: Instant })
export type ProbePeak = z.infer<typeof ProbePeak>

/** Time of a probe that is not proven. */
export const UnprovenTime = z.object({
  reason: z.enum(['gap', 'step', 'warm']),
  deviceId: Id,
  from: Instant,
  to: Instant,
  /** It goes on. */
  isOpen: z.boolean(),
})
export type UnprovenTime = z.infer<typeof UnprovenTime>

export const treatmentStates = ['waiting', 'running', 'interrupted', 'proven'] as const

/** The clock of a treatment. Only the authority declares a treatment complete. */
export const TreatmentClock = z.object({
  state: z.enum(treatmentStates),
  /** The way of the protocol that is fulfilled first, as things stand. */
  row: z.object({ maxC: z.number(), days: z.number().int() }),
  startedAt: Instant.nullable(),
  /** The instant at which all its time was proven. */
  provenAt: Instant.nullable(),
  requiredMs: z.number(),
  provenMs: z.number(),
  elapsedMs: z.number(),
  leftMs: z.number(),
  /** Up to when every probe has told. */
  knownUntil: Instant,
  /** When all its time will be proven, if every hour to come is. */
  forecastAt: Instant.nullable(),
  /** The warmest hour since the start. */
  limiting: ProbePeak.nullable(),
  /** Degrees that were left to the row's temperature then, °C. */
  marginC: z.number().nullable(),
  unproven: z.array(UnprovenTime),
  unprovenCount: z.number().int(),
  /** Hours that made it begin again. */
  interruptions: z.array(ProbePeak),
  interruptionCount: z.number().int(),
  /** The probe that is too warm for the start. */
  waitsFor: ProbePeak.nullable(),
  silent: z.array(Id),
  missingProbes: z.number().int(),
  tooColdHours: z.number().int(),
  coldest: ProbePeak.nullable(),
  notPrecooled: z.array(Id),
  /** Probes whose offset is too large. */
  toReplace: z.array(Id),
  warmAfter: ProbePeak.nullable(),
  breaks: z.array(z.object({ aboveC: z.number(), delayMs: z.number(), restarts: z.boolean() })),
})
export type TreatmentClock = z.infer<typeof TreatmentClock>

/** An official's word for time without readings. */
export const VerifiedGap = z.object({
  from: Instant,
  to: Instant,
  /** The official, by name and office. */
  by: z.string(),
  note: z.string(),
  notedAt: Instant,
  notedByName: z.string(),
})
export type VerifiedGap = z.infer<typeof VerifiedGap>

export const TreatmentProbe = z.object({
  id: Id,
  name: z.string(),
  place: DevicePlace,
  /** Its reading at 0 °C, which is taken off all others; null: no calibration is known, nothing is. */
  offsetC: z.number().nullable(),
  certificateNo: z.string().nullable(),
  calibratedOn: z.string().nullable(),
  dueOn: z.string().nullable(),
})
export type TreatmentProbe = z.infer<typeof TreatmentProbe>

export const TreatmentForecast = z.object({
  /** At the end of the last leg; null: not known. */
  eta: Instant.nullable(),
  timezone: z.string(),
  place: z.string(),
  /** From the end of the treatment to the arrival; negative: the treatment takes longer. */
  spareMs: z.number().nullable(),
})
export type TreatmentForecast = z.infer<typeof TreatmentForecast>

export const Treatment = z.object({
  protocol: ColdProtocol,
  /** Where the goods travel. A treatment is completed in the container in which it began, under a numbered seal; a hold needs more probes. */
  carriage: z.object({
    containers: z.array(z.string()),
    isSealed: z.boolean(),
    isInHold: z.boolean(),
    /** Fruit of several types, or in several types of package, which an authority does not let be treated together. */
    isMixed: z.boolean(),
    /** False: the time of stuffing, or of loading into the hold, is not known, and the clock may have begun before it. */
    isLoadingNoted: z.boolean(),
  }),
  chosenAt: Instant,
  chosenByName: z.string(),
  verifiedGaps: z.array(VerifiedGap),
  /** Probes that the reader may not see: its clock is not shown then. */
  hiddenProbes: z.number().int(),
  clock: TreatmentClock.nullable(),
  /** When the clock was worked out. */
  seenAt: Instant.nullable(),
  forecast: TreatmentForecast.nullable(),
  /** The shipment has ended: but for late readings nothing more will be proven. */
  isOver: z.boolean(),
  /** The warmest probe of each hour; an hour without a reading is left out. */
  hours: z.array(z.object({ at: Instant, celsius: z.number(), deviceId: Id })),
  version: Version,
})
export type Treatment = z.infer<typeof Treatment>

/** The cold treatment of a shipment, or what one needs. */
export const ShipmentTreatment = z.object({
  treatment: Treatment.nullable(),
  /** The devices in fruit that the reader may see. */
  probes: z.array(TreatmentProbe),
  hiddenProbes: z.number().int(),
  /** Devices that measure air: they prove nothing. */
  airDevices: z.number().int(),
})
export type ShipmentTreatment = z.infer<typeof ShipmentTreatment>

export const ChooseProtocol = z.strictObject({
  protocolId: text(60),
  /** The version of the treatment that is there; left out: there is none. */
  version: Version.optional(),
})
export type ChooseProtocol = z.infer<typeof ChooseProtocol>

export const VerifyGap = z
  .strictObject({ from: GivenInstant, to: GivenInstant, by: text(160), note: paragraph(1_000), version: Version })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ['from'], message: 'startAfterEnd' })
export type VerifyGap = z.infer<typeof VerifyGap>

/** A monitoring record in support of a cold treatment; never a certificate of one. */
export const MonitoringRecord = IssuedReport.omit({ contents: true }).extend({ shipmentId: Id, locale: Locale })
export type MonitoringRecord = z.infer<typeof MonitoringRecord>

const view = { needs: 'dispatch.view' } as const
const edit = { needs: 'dispatch.addOrEdit' } as const

export const coldTreatments = {
  protocols: get('/export/cold-treatment/protocols', {
    ...view,
    summary: 'Schedules of cold treatments by market, each with its source and whether it was verified',
    returns: z.array(ProtocolChoice),
  }),
  one: get('/export/shipments/:id/cold-treatment', {
    ...view,
    summary: 'The clock of the cold treatment of a shipment, or what one needs',
    returns: ShipmentTreatment,
  }),
  choose: put('/export/shipments/:id/cold-treatment', {
    ...edit,
    summary: 'Chooses the protocol that the probes of a shipment shall prove',
    body: ChooseProtocol,
    returns: ShipmentTreatment,
  }),
  remove: del('/export/shipments/:id/cold-treatment', {
    ...edit,
    summary: 'Takes the cold treatment off a shipment; what was measured stays',
    returns: Done,
  }),
  verifyGap: post('/export/shipments/:id/cold-treatment/verified-gaps', {
    ...edit,
    summary: 'Counts time without readings, by the word of an official who verified that the fruit stayed cold',
    body: VerifyGap,
    returns: ShipmentTreatment,
  }),
  makeRecord: post('/export/shipments/:id/cold-treatment/monitoring-records', {
    needs: 'dispatch.export',
    summary: 'Builds a monitoring record in support of a cold treatment, as a PDF; mailed and downloadable',
    body: z.strictObject({ locale: Locale.optional() }),
    returns: MonitoringRecord,
  }),
  records: get('/export/shipments/:id/cold-treatment/monitoring-records', {
    ...view,
    summary: 'The monitoring records of a shipment, newest first',
    query: z.strictObject({ page: Paging.shape.page, perPage: Paging.shape.perPage }),
    returns: pageOf(MonitoringRecord),
  }),
  recordFile: get('/export/monitoring-records/:id/file', {
    needs: 'dispatch.export',
    summary: 'The file of a monitoring record, once it is ready',
    returns: file('application/pdf'),
  }),
}
