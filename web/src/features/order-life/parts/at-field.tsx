import { instantOf, localTimeOf } from '@isotherm/contract/zone-times.ts'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../lib/session.ts'
import { zoneName } from '../../../lib/times.ts'
import { DateField } from '../../../ui/date-field.tsx'
import type { EntityForm } from '../../../ui/form/use-entity-form.ts'

/** The instant that a field of `AtField` says, as a body has it: nothing where it is left empty. */
export const atOf = (at: string, zone: string): { at?: string } => (at ? { at: instantOf(at, zone) } : {})

/** When it happened, for who says it later; empty: now. */
export function AtField<V extends { at: string }>({ form }: { form: EntityForm<V> }) {
  const { t } = useTranslation('orderLife')
  const zone = useSession((state) => state.timezone)
  return (
    <DateField
      withTime
      label={t('at.label', { zone: zoneName(zone) })}
      description={t('at.empty')}
      max={localTimeOf(Date.now(), zone)}
      {...form.fields.getInputProps('at')}
    />
  )
}
