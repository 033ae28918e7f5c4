import { exportSettings } from '@isotherm/contract/export-settings.ts'
import { Autocomplete } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import type { ShipmentValues } from '../shipment-values.ts'

/** The carrying regime: those of the company's own list are offered, and bring their set point where none is written. */
export function RegimeField({ fields }: { fields: UseFormReturnType<ShipmentValues> }) {
  const { t } = useTranslation('shipments')
  const regimes = useCall(exportSettings.read).data?.regimes ?? []
  const { regimeCode, setPointC } = fields.getValues()
  const of = (code: string) => regimes.find((regime) => regime.code === code.trim())
  const chosen = of(regimeCode)
  const about = [
    chosen?.loadOutMaxC != null && t('form.loadOut', { max: withUnit(chosen.loadOutMaxC, '°C') }),
    chosen?.note,
  ]
  return (
    <Autocomplete
      label={t('fields.regimeCode')}
      description={about.filter(Boolean).join(' · ') || undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[...new Set(regimes.map(({ code }) => code))]}
      maxLength={20}
      onOptionSubmit={(code) => {
        const point = of(code)?.setPointC ?? null
        if (setPointC === '' && point !== null) fields.setFieldValue('setPointC', point)
      }}
      {...fields.getInputProps('regimeCode')}
    />
  )
}
