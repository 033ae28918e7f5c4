import { type NotificationSettings, notifications } from '@isotherm/contract/notifications.ts'
import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { keyOf, queryClient, useCall } from '../../../lib/query.ts'
import { TimeField } from '../../../ui/time-field.tsx'
import classes from './notifications.module.css'
import { PushSwitch } from './push-switch.tsx'

const usual = { from: '22:00', to: '06:00' }

/** Sound and quiet hours; each change is kept at once. */
export function HearingSettings() {
  const { t } = useTranslation('notifications')
  const { data } = useCall(notifications.settings)
  if (!data) return null
  const save = async (change: Partial<NotificationSettings>) => {
    const wanted = { ...data, ...change }
    const key = keyOf(notifications.settings)
    const shown = queryClient.setQueryData(key, wanted)
    const changing = call(notifications.changeSettings, { body: wanted }, { toastAll: true })
    const answer = await changing.catch(() => data)
    // Something may have been changed again meanwhile.
    if (queryClient.getQueryData(key) === shown) queryClient.setQueryData(key, answer)
  }
  const { quiet } = data
  return (
    <section className={classes.settings} aria-label={t('settings')}>
      <h3>{t('settings')}</h3>
      <Switch
        label={t('sound')}
        checked={data.sound}
        onChange={(event) => void save({ sound: event.currentTarget.checked })}
      />
      <PushSwitch isWanted={data.push} onChange={(push) => void save({ push })} />
      <Switch
        label={t('crossingMails')}
        description={t('crossingMailsHelp')}
        checked={data.crossingMails}
        onChange={(event) => void save({ crossingMails: event.currentTarget.checked })}
      />
      <Switch
        label={t('quiet')}
        description={t('quietHelp')}
        checked={quiet !== null}
        onChange={(event) => void save({ quiet: event.currentTarget.checked ? usual : null })}
      />
      {quiet && (
        <div className={classes.hours}>
          <TimeField
            label={t('from')}
            value={quiet.from}
            onChange={(from) => from && void save({ quiet: { ...quiet, from } })}
          />
          <TimeField label={t('to')} value={quiet.to} onChange={(to) => to && void save({ quiet: { ...quiet, to } })} />
        </div>
      )}
    </section>
  )
}
