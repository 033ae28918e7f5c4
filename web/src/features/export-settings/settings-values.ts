import type { ExportSettingsChange, PortGln, ShownExportSettings } from '@isotherm/contract/export-settings.ts'
import type { UseFormReturnType } from '@mantine/form'

interface RegimeValues {
  key: string
  code: string
  setPointC: number | ''
  loadOutMaxC: number | ''
  note: string
}

export interface SettingsValues {
  gs1Prefix: string
  gln: string
  portGlns: PortGln[]
  regimes: RegimeValues[]
  allowsUnverified: boolean
  flightMode: boolean
  captureUrl: string
  captureHeader: string
  /** Empty: the one that is kept stays. */
  captureSecret: string
  removesSecret: boolean
}
export type SettingsFields = UseFormReturnType<SettingsValues>

export const valuesOf = (settings: ShownExportSettings): SettingsValues => ({
  ...{ gs1Prefix: settings.gs1Prefix ?? '', gln: settings.gln ?? '', portGlns: settings.portGlns },
  regimes: settings.regimes.map(({ code, setPointC, loadOutMaxC, note }) => ({
    ...{ key: code, code, setPointC: setPointC ?? '', loadOutMaxC: loadOutMaxC ?? '', note: note ?? '' },
  })),
  ...{ allowsUnverified: settings.allowsUnverified, flightMode: settings.flightMode },
  ...{ captureUrl: settings.captureUrl ?? '', captureHeader: settings.captureHeader ?? '' },
  ...{ captureSecret: '', removesSecret: false },
})

export function bodyOf(values: SettingsValues, version: number): ExportSettingsChange {
  const orNull = (text: string) => text.trim() || null
  const numberOrNull = (value: number | '') => (value === '' ? null : value)
  const { captureSecret, removesSecret } = values
  return {
    ...{ gs1Prefix: orNull(values.gs1Prefix), gln: orNull(values.gln), portGlns: values.portGlns },
    regimes: values.regimes.map(({ code, setPointC, loadOutMaxC, note }) => ({
      ...{ code, setPointC: numberOrNull(setPointC), loadOutMaxC: numberOrNull(loadOutMaxC), note: orNull(note) },
    })),
    ...{ allowsUnverified: values.allowsUnverified, flightMode: values.flightMode },
    ...{ captureUrl: orNull(values.captureUrl), captureHeader: orNull(values.captureHeader) },
    ...(removesSecret ? { captureSecret: null } : captureSecret !== '' && { captureSecret }),
    version,
  }
}
