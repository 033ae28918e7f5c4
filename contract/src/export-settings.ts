import { z } from 'zod'
import { get, put } from './call.ts'
import { text, webAddress } from './common.ts'
import { PortType } from './ports.ts'

/** Regimes that a company may list. */
export const maxRegimes = 100

const Celsius = z.number().min(-40).max(40).multipleOf(0.01)

/** A carrying regime of a season, as the authority names it: a company's own list, because it changes with every season. Degrees Celsius. */
export const Regime = z.strictObject({
  code: text(12),
  setPointC: Celsius.nullable(),
  /** The warmest pulp at the load-out. */
  loadOutMaxC: Celsius.nullable(),
  note: text(200).nullable(),
})
export type Regime = z.infer<typeof Regime>

/** Ports whose numbers a company may list. */
export const maxPortGlns = 100

/** The number by GS1 of a port or an airport, or of the terminal that a company uses there. */
export const PortGln = z.strictObject({
  type: PortType,
  /** UN/LOCODE by sea, IATA by air. */
  code: text(8),
  /** That of the port, whatever is given. */
  name: text(120, 0),
  gln: text(40),
  /** The number stands, though its check digit is wrong. */
  glnUnchecked: z.boolean(),
})
export type PortGln = z.infer<typeof PortGln>

/** How a company exports. */
export const ExportSettings = z.strictObject({
  /** The company's prefix of GS1: numbers of pallets and events are made with it. Null: with our own. */
  gs1Prefix: z
    .string()
    .trim()
    .regex(/^\d{6,12}$/, 'gsPrefix')
    .nullable(),
  /** The company's own number of a place. */
  gln: text(20).nullable(),
  /** The numbers of ports; events there are told of with them. */
  portGlns: z.array(PortGln).max(maxPortGlns),
  regimes: z.array(Regime).max(maxRegimes),
  /** Protocols of cold treatment that nobody has compared with their source may be chosen. */
  allowsUnverified: z.boolean(),
  /** Devices of a shipment that departs by air go into flight mode. */
  flightMode: z.boolean(),
  /** Where documents of events are sent: a capture interface of EPCIS 2.0. */
  captureUrl: webAddress(/^https?$/, 500).nullable(),
  /** The header that carries the secret. */
  captureHeader: z
    .string()
    .trim()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,59}$/, 'headerName')
    .nullable(),
})
export type ExportSettings = z.infer<typeof ExportSettings>

/** `version` 0: nobody has changed anything. The secret is never told again. */
export const ShownExportSettings = ExportSettings.extend({
  hasCaptureSecret: z.boolean(),
  version: z.number().int(),
})
export type ShownExportSettings = z.infer<typeof ShownExportSettings>

/** `captureSecret`: left out, it stays; null takes it away. It is given again for another address or header. */
export const ExportSettingsChange = ExportSettings.extend({
  /** Left out, they stay. */
  portGlns: ExportSettings.shape.portGlns.optional(),
  captureSecret: text(500).nullable().optional(),
  version: z.number().int().min(0).max(2_147_483_647),
})
export type ExportSettingsChange = z.infer<typeof ExportSettingsChange>

export const exportSettings = {
  read: get('/export/settings', {
    needs: 'dispatch.view',
    summary: 'Numbers of GS1, regimes and the capture interface of the company',
    returns: ShownExportSettings,
  }),
  change: put('/export/settings', {
    needs: 'dispatch.addOrEdit',
    summary: 'Saves how the company exports; the secret is kept sealed and never told',
    body: ExportSettingsChange,
    returns: ShownExportSettings,
  }),
}
