import { plans, type SubscribedDevice } from '@isotherm/contract/plans.ts'
import { subscription } from '@isotherm/contract/subscription.ts'
import { IconArrowBackUp, IconX } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import type { Column } from '../../../ui/list/column.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import classes from './plans.module.css'

/** The devices on licences that run, found by name, tag or IMEI; one may give its place up. */
export function SubscribedDevices({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation('subscription')
  const params = useListParams()
  const { page, perPage, search } = params.asked
  const answer = useCall(plans.searchDevices, { query: { page, perPage, search } }, { keepPrevious: true })
  const columns = useMemo<Column<SubscribedDevice>[]>(
    () => [
      { key: 'name', title: t('devices.name'), render: ({ name }) => name },
      { key: 'imei', title: t('devices.imei'), width: 160, render: ({ imei }) => imei ?? '' },
      { key: 'plan', title: t('devices.plan'), render: (device) => <PlanOf device={device} /> },
      { key: 'until', title: t('devices.until'), width: 190, render: (device) => <Until device={device} /> },
    ],
    [t],
  )
  const changes = (device: SubscribedDevice) =>
    device.source !== 'subscription' || !mayChange
      ? []
      : device.isCancelled
        ? [
            {
              label: t('devices.keep', { name: device.name }),
              icon: <IconArrowBackUp size={16} />,
              onClick: () => void keep(device).catch(() => undefined),
            },
          ]
        : [
            {
              label: t('devices.giveUp', { name: device.name }),
              icon: <IconX size={16} />,
              onClick: () => giveUp(device),
            },
          ]
  const keep = async ({ id }: SubscribedDevice) => {
    await call(plans.keepDevice, { params: { id } }, { toastAll: true })
    await renewed()
  }
  const giveUp = ({ id, name, until }: SubscribedDevice) => {
    const date = formatDate(until)
    confirm({
      title: t('devices.giveUpTitle', { name }),
      text: t('devices.giveUpText', { date }),
      action: t('devices.giveUpAction'),
      destructive: true,
      run: async () => {
        const given = await call(plans.cancelDevice, { params: { id } })
        const { plan, cancelAtEnd } = given.subscription
        const lasts = { date: formatDate(given.until) }
        toastSuccess(
          cancelAtEnd ? t('devices.planEnds', { plan: plan.name, ...lasts }) : t('devices.given', { name, ...lasts }),
        )
        await renewed()
      },
    })
  }
  return (
    <section aria-label={t('devices.title')}>
      <h2 className={classes.heading}>{t('devices.title')}</h2>
      <ListView
        label={t('devices.title')}
        answer={answer}
        params={params}
        searchLabel={t('devices.search')}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        {...(mayChange ? { actions: changes } : {})}
        card={(device) => (
          <span className={classes.card}>
            <b>{device.name}</b>
            <span>
              <PlanOf device={device} /> {device.imei ? `· ${device.imei}` : ''}
            </span>
            <span>
              {t('devices.until')} <Until device={device} />
            </span>
          </span>
        )}
        empty={{ title: t('devices.none'), text: t('devices.noneText') }}
      />
    </section>
  )
}

const renewed = () =>
  refetchCalls(
    plans.searchDevices,
    plans.devices,
    plans.unlicensed,
    plans.subscriptions,
    subscription.entitlement,
    subscription.licences,
  )

function PlanOf({ device: { source, plan } }: { device: SubscribedDevice }) {
  const { t } = useTranslation('subscription')
  return <span>{(source !== 'trial' && plan) || t(`devices.sources.${source}`)}</span>
}

function Until({ device: { until, isCancelled } }: { device: SubscribedDevice }) {
  const { t } = useTranslation('subscription')
  const date = formatDate(until)
  return <span className={classes.until}>{isCancelled ? t('devices.ends', { date }) : date}</span>
}
