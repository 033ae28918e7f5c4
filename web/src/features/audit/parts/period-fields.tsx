import { Group, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { zoneName } from '../../../lib/times.ts'
import type { ListParams } from '../../../ui/list/use-list-params.ts'

interface PeriodFieldsProps {
  params: ListParams
  from: string | undefined
  to: string | undefined
  /** The first day lies after the last. */
  crossed: boolean
}

/** From which day to which, both included, as the person's days. */
export function PeriodFields({ params, from, to, crossed }: PeriodFieldsProps) {
  const { t } = useTranslation('audit')
  const change = (name: 'from' | 'to') => (event: { currentTarget: { value: string } }) =>
    params.change({ filters: { [name]: event.currentTarget.value || undefined } })
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" role="group" aria-label={`${t('screen.period')} (${zoneName()})`}>
      <TextInput
        type="date"
        size="sm"
        style={{ flex: 1, minWidth: 0 }}
        aria-label={t('screen.firstDay')}
        title={t('screen.firstDay')}
        value={from ?? ''}
        {...(to ? { max: to } : {})}
        onChange={change('from')}
      />
      <Text size="sm" c="dimmed" lh="36px" aria-hidden>
        –
      </Text>
      <TextInput
        type="date"
        size="sm"
        style={{ flex: 1, minWidth: 0 }}
        aria-label={t('screen.lastDay')}
        title={t('screen.lastDay')}
        value={to ?? ''}
        {...(from ? { min: from } : {})}
        error={crossed && t('screen.crossed')}
        onChange={change('to')}
      />
    </Group>
  )
}
