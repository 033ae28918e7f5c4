import type { Returned } from '@isotherm/contract/call.ts'
import { LoginRules, security } from '@isotherm/contract/security.ts'
import { instantOf, localTimeOf } from '@isotherm/contract/zone-times.ts'
import { NumberInput, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { keyOf, queryClient, useCall } from '../../../lib/query.ts'
import { differing, saveChange } from '../../../lib/save-change.ts'
import { shownZone } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { Panel } from '../../../ui/panel.tsx'

type Rules = Returned<typeof security.rules>

/** For Admins: what the company asks of its people's logins. */
export function RulesPanel() {
  const { t } = useTranslation('security')
  const answer = useCall(security.rules)
  return (
    <Panel title={t('rules.title')} text={t('rules.lead')}>
      {!answer.data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!answer.data && !answer.error && <Skeleton height={160} />}
      {answer.data && <RulesForm rules={answer.data} />}
    </Panel>
  )
}

const numberOf = (value: number | string) => (value === '' ? null : Number(value))

function valuesOf({ secondFactorFrom, idleMinutes, sessionHours }: Rules) {
  const day = secondFactorFrom ? localTimeOf(Date.parse(secondFactorFrom), shownZone()).slice(0, 10) : ''
  return { secondFactorFrom: day, idleMinutes: idleMinutes ?? '', sessionHours: sessionHours ?? '' }
}

/** Its midnight here; the instant as it was where nobody chose another day: somebody in another zone may have given it. A date that is none is refused at its field. */
function instantFrom(day: string, rules: Rules): string | null {
  if (day === valuesOf(rules).secondFactorFrom) return rules.secondFactorFrom
  return day ? instantOf(day, shownZone()) : null
}

const rulesOf = ({ secondFactorFrom, idleMinutes, sessionHours }: Rules): LoginRules => ({
  ...{ secondFactorFrom, idleMinutes, sessionHours },
})

function RulesForm({ rules }: { rules: Rules }) {
  const { t } = useTranslation('security')
  // As the form shows them.
  const [seen, setSeen] = useState(rules)
  const showNow = (now: Rules, former?: Rules) => {
    queryClient.setQueryData(keyOf(security.rules), now)
    setSeen(now)
    form.startFrom(valuesOf(now), former && valuesOf(former))
  }
  const form = useEntityForm({
    initialValues: valuesOf(seen) as {
      secondFactorFrom: string
      idleMinutes: number | string
      sessionHours: number | string
    },
    schema: LoginRules,
    toBody: (values) => ({
      secondFactorFrom: instantFrom(values.secondFactorFrom, seen),
      idleMinutes: numberOf(values.idleMinutes),
      sessionHours: numberOf(values.sessionHours),
    }),
    save: async (body) => {
      // The call takes all rules: those that nobody touched here are as they are by then.
      let base = seen
      return saveChange({
        seen,
        change: differing(rulesOf(seen), body),
        bodyOf: rulesOf,
        load: async () => {
          base = await call(security.rules)
          return base
        },
        onRefused: (now) => showNow(now, seen),
        send: (change, how) => call(security.changeRules, { body: { ...rulesOf(base), ...change } }, how),
      })
    },
    onSaved: (saved) => {
      showNow(saved)
      toastSuccess(t('rules.saved'))
    },
  })
  const { getInputProps } = form.fields
  return (
    <EntityForm form={form} submitLabel={t('common:actions.save')} label={t('rules.title')}>
      <DateField label={t('rules.from')} description={t('rules.fromHelp')} {...getInputProps('secondFactorFrom')} />
      {rules.without > 0 && <Text size="sm">{t('rules.without', { count: rules.without })}</Text>}
      <NumberInput
        label={t('rules.idle')}
        description={t('rules.idleHelp', { limit: formatNumber(rules.bounds.idleMinutes) })}
        allowDecimal={false}
        allowNegative={false}
        {...getInputProps('idleMinutes')}
      />
      <NumberInput
        label={t('rules.hours')}
        description={t('rules.hoursHelp', {
          limit: formatNumber(rules.bounds.sessionHours),
          admin: formatNumber(rules.bounds.adminHours),
        })}
        allowDecimal={false}
        allowNegative={false}
        {...getInputProps('sessionHours')}
      />
    </EntityForm>
  )
}
