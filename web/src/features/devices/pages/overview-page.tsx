import { type Device, DeviceQuery, deviceFilters, devices } from '@isotherm/contract/devices.ts'
import { IconFileUpload, IconPlayerPause, IconPlayerPlay, IconPlus, IconSettings } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { useGroupChoices } from '../../../shared/group-choices.ts'
import { DevicesTabs } from '../../../ui/devices-tabs.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { ChoiceFilter } from '../../../ui/list/choice-filter.tsx'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { LookSwitch, useLook } from '../../../ui/list/look-switch.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { useSelection } from '../../../ui/list/use-selection.ts'
import { Page } from '../../../ui/page.tsx'
import { AddSample } from '../parts/add-sample.tsx'
import { BulkActions } from '../parts/bulk-actions.tsx'
import { DeviceCard } from '../parts/device-card.tsx'
import { useDeviceColumns } from '../parts/device-columns.tsx'
import { OpenAlarms } from '../parts/open-alarms.tsx'
import { useStatusChips } from '../parts/status-chips.ts'
import { requestedTransmission } from '../requested-settings.ts'
import { useTransmission } from '../use-transmission.ts'

/** Whatever happens without a push (late, offline, a row's place in the order) is fetched this often. */
const refetchMs = 60_000
const noDevices: Device[] = []

export function OverviewPage() {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const [mayEdit, mayExport] = [useCan('devices.addOrEdit'), useCan('devices.export')]
  const [maySetUp, mayImport] = [useCan(devices.setup), useCan(devices.setupBulk)]
  const summary = useCall(devices.summary, {}, { refetchMs }).data
  const tags = summary?.tags
  const [look, setLook] = useLook('devices')
  const inGroups = useGroupChoices()
  const filters = useMemo(
    () => ({ status: deviceFilters, tag: tags ?? [], group: inGroups.map(({ value }) => value) }),
    [tags, inGroups],
  )
  const params = useListParams({ sort: DeviceQuery.shape.sort, filters })
  const { page, perPage, ...query } = params.asked
  const answer = useCall(
    devices.list,
    { query: { ...params.asked, sparkline: 'true' } },
    { keepPrevious: true, refetchMs },
  )
  const chips = useStatusChips(summary, params.filters.status)
  const switchTransmission = useTransmission()
  const selection = useSelection()
  const setUp = maySetUp && (
    <ButtonLink to="/devices/setupdevice/$deviceId" params={{ deviceId: 'new' }} leftSection={<IconPlus size={16} />}>
      {t('setUp')}
    </ButtonLink>
  )
  const actions = (
    <>
      {mayExport && (
        <ExportButton
          fileName="devices.csv"
          disabled={answer.data?.meta.total === 0}
          load={() => call(devices.exportCsv, { query }, { toastAll: true })}
        />
      )}
      {mayImport && (
        <ButtonLink to="/devices/setup-from-file" variant="default" leftSection={<IconFileUpload size={16} />}>
          {t('setUpFromFile')}
        </ButtonLink>
      )}
      {setUp}
    </>
  )
  const rowActions = (device: Device) => [
    {
      label: t('tabs.settings'),
      icon: <IconSettings size={16} />,
      onClick: () => void navigate({ to: '/devices/$deviceId/settings', params: { deviceId: device.id } }),
    },
    {
      label: t(`transmission.${requestedTransmission(device) === 'paused' ? 'started' : 'paused'}.action`),
      icon: requestedTransmission(device) === 'paused' ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />,
      onClick: () => switchTransmission(device),
    },
  ]
  return (
    <Page title={t('title')} actions={actions} tabs={<DevicesTabs />}>
      <ListView
        label={t('title')}
        answer={answer}
        params={params}
        searchLabel={t('search')}
        filters={[chips]}
        toolbarExtra={
          <>
            <ChoiceFilter params={params} name="group" label={t('columns.group')} data={inGroups} />
            <ChoiceFilter params={params} name="tag" label={t('columns.tag')} data={tags} limit={100} />
            <LookSwitch look={look} onChange={setLook} />
          </>
        }
        asCards={look === 'cards'}
        columns={useDeviceColumns()}
        rowId={(device) => device.id}
        rowName={(device) => device.name}
        card={(device) => <DeviceCard device={device} />}
        aside={(device) => device.openAlarms && <OpenAlarms device={device} />}
        onOpen={(device) => void navigate({ to: '/devices/$deviceId/details', params: { deviceId: device.id } })}
        actions={mayEdit ? rowActions : undefined}
        selection={selection}
        bulkActions={
          <BulkActions
            rows={answer.data?.data ?? noDevices}
            selection={selection}
            // Nothing of a decommissioned device changes any more.
            mayChange={mayEdit && query.status !== 'decommissioned'}
          />
        }
        empty={{
          title: t('empty.title'),
          text: t(maySetUp ? 'empty.text' : 'empty.textReadOnly'),
          action: maySetUp ? (
            <>
              {setUp}
              <AddSample />
            </>
          ) : undefined,
        }}
      />
    </Page>
  )
}
