import { type Alarm, AlarmChange, alarms } from '@isotherm/contract/alarms.ts'
import { Button, Paper } from '@mantine/core'
import { IconBell, IconBellOff, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeOf, newAlarmOf, ruleOf, valuesOfAlarm } from '../../features/alarms/alarm-values.ts'
import { AlarmForm } from '../../features/alarms/parts/alarm-form.tsx'
import { AlarmFrame } from '../../features/alarms/parts/alarm-frame.tsx'
import { AlarmState } from '../../features/alarms/parts/alarm-state.tsx'
import { SnoozeDialog } from '../../features/alarms/parts/snooze-dialog.tsx'
import { useAlarmVerbs } from '../../features/alarms/parts/use-alarm-actions.tsx'
import { useSuggestedName } from '../../features/alarms/suggested-name.ts'
import { refetchTriggers } from '../../features/alarms/use-trigger-actions.ts'
import { useGeofences, usePoints } from '../../features/places/use-places.ts'
import { call } from '../../lib/call.ts'
import { saveChange } from '../../lib/save-change.ts'
import { getSession } from '../../lib/session.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { useEntityForm } from '../../ui/form/use-entity-form.ts'
import { useFollowed } from '../../ui/form/use-followed.ts'
import frames from '../../ui/frames.module.css'
import { AlarmPreview } from './alarm-preview.tsx'
import classes from './alarms.module.css'

/** Edit, snooze, delete. */
export const AlarmSettingsPage = () => <AlarmFrame>{(alarm) => <Settings key={alarm.id} alarm={alarm} />}</AlarmFrame>

const shownValues = (alarm: Alarm) => valuesOfAlarm(alarm, getSession().timezone)

function Settings({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation('alarms')
  const places = { geofences: useGeofences(), points: usePoints() }
  const suggest = useSuggestedName(places)
  // As the form shows it: pushes go on changing `alarm` under it.
  const [seen, setSeen] = useState(alarm)
  const start = useMemo(() => shownValues(seen), [seen])
  const form = useEntityForm({
    initialValues: start,
    schema: AlarmChange,
    toBody: (values) => changeOf(values, start),
    save: async (change) => {
      if (Object.keys(change).length === 0) return seen
      const params = { id: alarm.id }
      const bodyOf = (now: Alarm) => newAlarmOf(shownValues(now))
      return saveChange({
        ...{ seen, change, bodyOf },
        load: () => call(alarms.one, { params }),
        send: (body, how) => call(alarms.change, { params, body }, how),
        onRefused: (now) => follow(now, seen),
      })
    },
    onSaved: (saved) => {
      follow(saved)
      toastSuccess(t('done.edited'))
      void refetchTriggers()
    },
  })
  const follow = (now: Alarm, former?: Alarm) => {
    setSeen(now)
    form.startFrom(shownValues(now), former && shownValues(former))
  }
  useFollowed({ thing: alarm, seen, isUnsaved: form.isUnsaved, follow })
  const values = form.fields.getValues()
  return (
    <div className={classes.split}>
      <AlarmForm
        form={form}
        places={places}
        submitLabel={t('form.save')}
        suggestedName={suggest(ruleOf(values))}
        fixedKind
        unlisted={Math.max(0, alarm.groups.length > 0 ? 0 : alarm.deviceCount - alarm.devices.length)}
      />
      <div className={classes.aside}>
        <AlarmPreview values={values} />
        <Life alarm={alarm} />
      </div>
    </div>
  )
}

/** Snoozing and deleting, which ask no saving. */
function Life({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation('alarms')
  const navigate = useNavigate()
  const [snoozing, setSnoozing] = useState(false)
  const { unsnooze, remove } = useAlarmVerbs()
  return (
    <Paper component="section" className={frames.panel} aria-label={t('life.title')}>
      <h2>{t('life.title')}</h2>
      <div className={frames.stack}>
        <AlarmState alarm={alarm} />
        <div className={classes.snoozed}>
          {alarm.snoozedUntil ? (
            <Button variant="default" leftSection={<IconBell size={16} />} onClick={() => void unsnooze(alarm)}>
              {t('actions.unsnooze')}
            </Button>
          ) : (
            <Button variant="default" leftSection={<IconBellOff size={16} />} onClick={() => setSnoozing(true)}>
              {t('actions.snooze')}
            </Button>
          )}
          <Button
            variant="default"
            c="var(--state-warm)"
            leftSection={<IconTrash size={16} />}
            onClick={() => remove(alarm, () => navigate({ to: '/alarms/list', ignoreBlocker: true }))}
          >
            {t('actions.delete')}
          </Button>
        </div>
      </div>
      {snoozing && <SnoozeDialog alarm={alarm} onClose={() => setSnoozing(false)} />}
    </Paper>
  )
}
