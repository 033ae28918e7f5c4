import { alarms, NewAlarm } from '@isotherm/contract/alarms.ts'
import type { Profile } from '@isotherm/contract/auth.ts'
import { Skeleton } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { newAlarmOf, newValues, ruleOf } from '../../features/alarms/alarm-values.ts'
import { AlarmForm } from '../../features/alarms/parts/alarm-form.tsx'
import { useSuggestedName } from '../../features/alarms/suggested-name.ts'
import { refetchTriggers } from '../../features/alarms/use-trigger-actions.ts'
import { useGeofences, usePoints } from '../../features/places/use-places.ts'
import { call } from '../../lib/call.ts'
import { useSession } from '../../lib/session.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { useEntityForm } from '../../ui/form/use-entity-form.ts'
import { Page } from '../../ui/page.tsx'
import { AlarmPreview } from './alarm-preview.tsx'
import classes from './alarms.module.css'

/** One page: what is watched, when it fires, who hears of it; beside it what it would have done. */
export function AddAlarmPage() {
  const { t } = useTranslation('alarms')
  const profile = useSession((state) => state.profile)
  return (
    <Page title={t('add')} breadcrumb={<Link to="/alarms/list">{t('title')}</Link>}>
      {/* Whoever makes an alarm is its first recipient: after a reload the profile comes a moment later. */}
      {profile ? <NewAlarmForm person={profile} /> : <Skeleton height={420} radius="md" />}
    </Page>
  )
}

function NewAlarmForm({ person }: { person: Profile }) {
  const { t } = useTranslation('alarms')
  const navigate = useNavigate()
  const places = { geofences: useGeofences(), points: usePoints() }
  const suggest = useSuggestedName(places)
  const [start] = useState(() => newValues({ id: person.id, name: person.fullname }, person.timezone))
  const form = useEntityForm({
    initialValues: start,
    schema: NewAlarm,
    toBody: (values) => {
      const body = newAlarmOf(values)
      return { ...body, name: body.name || suggest(ruleOf(values)) }
    },
    save: (body) => call(alarms.add, { body }),
    onSaved: ({ id }) => {
      toastSuccess(t('done.created'))
      void refetchTriggers()
      void navigate({ to: '/alarms/$alarmId/details', params: { alarmId: id } })
    },
  })
  const values = form.fields.getValues()
  return (
    <div className={classes.split}>
      <AlarmForm
        form={form}
        places={places}
        submitLabel={t('form.create')}
        suggestedName={suggest(ruleOf(values))}
        fixedKind={false}
      />
      <div className={classes.aside}>
        <AlarmPreview values={values} />
      </div>
    </div>
  )
}
