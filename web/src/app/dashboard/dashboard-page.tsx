import { alarms } from '@isotherm/contract/alarms.ts'
import { type Dashboard, dashboard } from '@isotherm/contract/dashboard.ts'
import { Paper, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { can, useCan, useCanAny } from '../../lib/can.ts'
import { askAhead, useCall } from '../../lib/query.ts'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Page } from '../../ui/page.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { FirstSteps } from '../first-steps/first-steps.tsx'
import shared from '../overview.module.css'
import { AccountState } from './account-state.tsx'
import { AttentionLine } from './attention-line.tsx'
import { ExcursionsNow } from './excursions-now.tsx'
import { Figures } from './figures.tsx'
import { FleetMap } from './fleet-map.tsx'
import { LastEvents } from './last-events.tsx'
import { OpenAlarms } from './open-alarms.tsx'
import { OtherStates } from './other-states.tsx'

const openSending = { query: { states: 'open', sort: '-severity', perPage: 6 } } as const

const seen = ['devices.view', 'alarms.view', 'reports.view', 'payments.view'] as const

/** Asks for the figures and the open alarms while the texts are still on their way. */
export function askForFigures() {
  if (seen.some((guard) => can(guard))) void askAhead(dashboard.figures, {})
  if (can('alarms.view')) void askAhead(alarms.triggers, openSending)
}

/** The fleet at a glance, as far as the role may see it. A role that sees none of it is told so, and nothing is asked. */
export function DashboardPage() {
  const { t } = useTranslation('dashboard')
  const seesAny = useCanAny(seen)
  const answer = useCall(dashboard.figures, {}, { enabled: seesAny, refetchMs: 60_000 })
  return (
    <Page title={t('title')}>
      {!seesAny ? (
        <Empty title={t('notAllowed.title')} text={t('notAllowed.text')} />
      ) : answer.data ? (
        <Overview answer={answer.data} />
      ) : answer.error ? (
        <Failure error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <div className={shared.stack} role="status" aria-label={t('loading')}>
          <Skeleton height={24} width={340} />
          <Skeleton height={104} />
          <Skeleton height={420} />
        </div>
      )}
    </Page>
  )
}

function Overview({ answer }: { answer: Dashboard }) {
  const { devices } = answer
  const { t } = useTranslation('dashboard')
  const mayEdit = useCan('devices.addOrEdit')
  const isPhone = usePhone()
  const isNarrow = useMediaQuery('(max-width: 1000px)', undefined, { getInitialValueInEffect: false })
  const mapHeight = isPhone ? 300 : 440
  const seesAlarms = useCan('alarms.view')
  const open = useCall(alarms.triggers, openSending, { refetchMs: 60_000, enabled: seesAlarms })
  const faulty = { alarms: answer.alarms?.faulty ?? 0, reports: answer.reports?.faulty ?? 0 }
  const attention = (
    <AttentionLine devices={devices} criticalAlarms={answer.alarms?.open.critical ?? 0} faulty={faulty} />
  )
  const steps = answer.firstSteps && <FirstSteps steps={answer.firstSteps} sampleDeviceId={answer.sampleDeviceId} />
  if (devices?.summary.total === 0)
    return (
      <div className={shared.stack}>
        {/* Alarms and reports may be left without the devices that there were. */}
        {faulty.alarms + faulty.reports > 0 && attention}
        {steps || (
          <Paper className={shared.panel}>
            <Empty
              title={t('empty.title')}
              text={t(mayEdit ? 'empty.text' : 'empty.textReadOnly')}
              action={
                mayEdit && (
                  <ButtonLink
                    to="/devices/setupdevice/$deviceId"
                    params={{ deviceId: 'new' }}
                    leftSection={<IconPlus size={16} />}
                  >
                    {t('empty.action')}
                  </ButtonLink>
                )
              }
            />
          </Paper>
        )}
      </div>
    )
  const map = devices && <FleetMap height={mapHeight} />
  const openAlarms = seesAlarms && (
    <OpenAlarms page={open.data} error={open.error} onRetry={() => void open.refetch()} />
  )
  const excursions = devices && <ExcursionsNow excursions={devices.excursionsNow} headings={devices.headingOut} />
  const events = (devices || answer.alarms) && (
    <LastEvents events={devices?.events ?? []} alarms={answer.alarms?.events ?? []} />
  )
  const account = answer.wallets && answer.licences && (
    <AccountState wallets={answer.wallets} licences={answer.licences} />
  )
  return (
    <div className={shared.stack}>
      {attention}
      {devices && <Figures devices={devices} openAlarms={answer.alarms?.open ?? null} />}
      {devices && <OtherStates summary={devices.summary} />}
      {isNarrow ? (
        // One below the other: what somebody must act on stands before the map, which is to look at.
        <>
          {openAlarms}
          {excursions}
          {map}
          {steps}
          {events}
          {account}
        </>
      ) : (
        <div className={shared.columns}>
          <div className={shared.stack}>
            {steps}
            {map}
            {openAlarms && excursions}
            {events}
          </div>
          <div className={shared.stack}>
            {openAlarms || excursions}
            {account}
          </div>
        </div>
      )}
    </div>
  )
}
