import { type DecommissionedDevice, DecommissionedQuery, deviceLife } from '@isotherm/contract/device-life.ts'
import { IconHistory, IconRestore } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDate, formatMoment } from '../../../lib/times.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { SettingsPage } from '../../../ui/settings-page.tsx'
import classes from '../parts/life.module.css'
import { RestoreDialog } from '../parts/restore-dialog.tsx'

/** The devices out of use: their history stays a click away, and so does the way back. */
export function DecommissionedPage({ licenceNote }: { licenceNote: (licenceKey: string) => ReactNode }) {
  const { t } = useTranslation('deviceLife')
  const navigate = useNavigate()
  const mayEdit = useCan(deviceLife.restore)
  const [restoring, setRestoring] = useState<DecommissionedDevice | null>(null)
  const params = useListParams({ sort: DecommissionedQuery.shape.sort })
  const answer = useCall(deviceLife.decommissioned, { query: params.asked }, { keepPrevious: true })
  const open = ({ id, lastReadingAt }: DecommissionedDevice) =>
    void navigate({
      to: '/devices/$deviceId/details',
      params: { deviceId: id },
      // The days before the last reading: the last 24 hours of one long out of use are empty.
      ...(lastReadingAt ? { search: weekBefore(lastReadingAt) } : {}),
    })
  return (
    <SettingsPage width="wide">
      <ListView
        label={t('decommissioned.title')}
        answer={answer}
        params={params}
        searchLabel={t('decommissioned.search')}
        rowId={(device) => device.id}
        rowName={(device) => device.name}
        onOpen={open}
        actions={(device) => [
          { label: t('decommissioned.open'), icon: <IconHistory size={16} />, onClick: () => open(device) },
          ...(mayEdit
            ? [
                {
                  label: t('restore.action'),
                  icon: <IconRestore size={16} />,
                  onClick: () => setRestoring(device),
                },
              ]
            : []),
        ]}
        columns={[
          {
            key: 'name',
            title: t('decommissioned.name'),
            sort: 'name',
            render: ({ name, tag }) => (
              <>
                {name}
                {tag && <div className={classes.dim}>{tag}</div>}
              </>
            ),
          },
          {
            key: 'imei',
            title: t('decommissioned.lastImei'),
            render: ({ lastImei }) => <span className={classes.number}>{lastImei}</span>,
          },
          {
            key: 'readings',
            title: t('decommissioned.readings'),
            hideBelow: 820,
            render: ({ firstReadingAt, lastReadingAt }) =>
              firstReadingAt && lastReadingAt
                ? t('hardware.period', { from: formatDate(firstReadingAt), to: formatDate(lastReadingAt) })
                : t('decommissioned.noReadings'),
          },
          {
            key: 'since',
            title: t('decommissioned.since'),
            sort: 'decommissionedAt',
            isTime: true,
            render: ({ decommissionedAt }) => formatMoment(decommissionedAt),
          },
        ]}
        empty={{ title: t('decommissioned.emptyTitle'), text: t('decommissioned.emptyText') }}
      />
      {restoring && (
        <RestoreDialog
          key={restoring.id}
          device={restoring}
          licenceNote={licenceNote}
          onClose={() => setRestoring(null)}
        />
      )}
    </SettingsPage>
  )
}

const weekBefore = (last: string) => ({
  from: new Date(Date.parse(last) - 7 * 86_400_000).toISOString(),
  to: new Date(Date.parse(last) + 1_000).toISOString(),
})
