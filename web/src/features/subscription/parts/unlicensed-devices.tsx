import { plans, type Subscription, type UnlicensedDevice } from '@isotherm/contract/plans.ts'
import { subscription } from '@isotherm/contract/subscription.ts'
import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Failure } from '../../../ui/failure.tsx'
import { PageButtons } from '../../../ui/list/page-buttons.tsx'
import { useLastPage } from '../../../ui/list/use-last-page.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Renewing } from '../../../ui/renewing.tsx'
import classes from './subscription.module.css'

interface UnlicensedDevicesProps {
  /** The plans of the company. */
  running: Subscription[]
  mayChange: boolean
}

/** The devices that no licence covers, each of which may be given a free place of a plan; nothing where there are none. */
export function UnlicensedDevices({ running, mayChange }: UnlicensedDevicesProps) {
  const { t } = useTranslation('subscription')
  const [page, setPage] = useState(1)
  const answer = useCall(plans.unlicensed, { query: { page, perPage: 20 } }, { keepPrevious: true })
  const { data, error } = answer
  useLastPage({ page, pageCount: answer.isPlaceholderData ? undefined : data?.meta.pageCount, onTurn: setPage })
  const withPlaces = running.filter(
    ({ state, devices }) => (state === 'active' || state === 'past_due') && devices.used < devices.of,
  )
  if (!data) return error ? <Failure error={error} onRetry={() => void answer.refetch()} /> : null
  if (data.meta.total === 0) return null
  const hasNoPlace = mayChange && running.length > 0 && withPlaces.length === 0
  return (
    <Panel
      title={t('unlicensed.title')}
      text={hasNoPlace ? `${t('unlicensed.lead')} ${t('unlicensed.noPlace')}` : t('unlicensed.lead')}
    >
      <Renewing isOld={answer.isPlaceholderData}>
        <ul className={classes.licences} aria-label={t('unlicensed.title')}>
          {data.data.map((device) => (
            <li key={device.id}>
              <span className={classes.name}>
                {device.name}
                {device.imei && <span className={classes.plan}>{device.imei}</span>}
              </span>
              {mayChange && <GivePlace device={device} to={withPlaces} />}
              <Since device={device} />
            </li>
          ))}
        </ul>
      </Renewing>
      {data.meta.pageCount > 1 && <PageButtons page={page} pageCount={data.meta.pageCount} onTurn={setPage} />}
    </Panel>
  )
}

function Since({ device: { until, isOnTrial } }: { device: UnlicensedDevice }) {
  const { t } = useTranslation('subscription')
  const date = until ? formatDate(until) : ''
  return (
    <span className={classes.dates}>
      {isOnTrial ? t('unlicensed.trial', { date }) : until ? t('unlicensed.ended', { date }) : t('unlicensed.never')}
    </span>
  )
}

/** One button where one plan has free places; else a choice of them. */
function GivePlace({ device, to }: { device: UnlicensedDevice; to: Subscription[] }) {
  const { t } = useTranslation('subscription')
  const [isGiving, setGiving] = useState(false)
  const [only] = to
  if (!only) return null
  const { id: deviceId, name } = device
  const give = async ({ id, plan }: Subscription) => {
    setGiving(true)
    try {
      const { until } = await call(plans.placeDevice, { params: { id, deviceId } }, { toastAll: true })
      toastSuccess(t('unlicensed.given', { name, plan: plan.name, date: formatDate(until) }))
    } catch {
      // Why is toasted. Somebody else may have taken the place.
    } finally {
      await refetchCalls(plans.unlicensed, plans.subscriptions, plans.devices, plans.searchDevices)
      void refetchCalls(subscription.entitlement, subscription.licences)
      setGiving(false)
    }
  }
  const button = { size: 'xs', variant: 'default', loading: isGiving } as const
  const label = (of: Subscription) => t('unlicensed.giveTo', { name, plan: of.plan.name })
  if (to.length === 1)
    return (
      <Button {...button} aria-label={label(only)} onClick={() => void give(only)}>
        {t('unlicensed.give')}
      </Button>
    )
  return (
    <Menu>
      <Menu.Target>
        <Button {...button}>{t('unlicensed.give')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {to.map((of) => (
          <Menu.Item key={of.id} onClick={() => void give(of)}>
            {label(of)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
