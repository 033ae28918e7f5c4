import type { RejectedReading } from '@isotherm/contract/device-history.ts'
import { devices } from '@isotherm/contract/devices.ts'
import { Code, Modal, Stack, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatExactTime } from '../../../lib/times.ts'
import { Age } from '../../../ui/age.tsx'
import { DevicesTabs } from '../../../ui/devices-tabs.tsx'
import type { Column } from '../../../ui/list/column.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { Page } from '../../../ui/page.tsx'

/** Rejected readings, with the reason: for Admins. */
export function RejectedPage() {
  const { t } = useTranslation('devices')
  const params = useListParams()
  const answer = useCall(devices.rejected, { query: params.asked }, { keepPrevious: true, refetchMs: 30_000 })
  const [open, setOpen] = useState<RejectedReading | null>(null)
  const columns = useMemo<Column<RejectedReading>[]>(
    () => [
      { key: 'reason', title: t('rejected.reason'), render: (row) => <Reason row={row} /> },
      {
        key: 'device',
        title: t('device'),
        render: (row) => (
          <>
            {row.deviceName ?? t('rejected.noDevice')}
            <Text size="xs" c="dimmed">
              {row.imei}
            </Text>
          </>
        ),
      },
      {
        key: 'protocol',
        title: t('rejected.protocol'),
        width: 100,
        hideBelow: 820,
        render: (row) => row.protocol.toUpperCase(),
      },
      { key: 'at', title: t('rejected.received'), width: 150, render: (row) => <Age at={row.receivedAt} /> },
    ],
    [t],
  )
  return (
    <Page title={t('rejected.title')} tabs={<DevicesTabs />}>
      <Text className="high-only" size="sm" c="dimmed" mb="md" maw={640}>
        {t('rejected.intro')}
      </Text>
      <ListView
        label={t('rejected.title')}
        answer={answer}
        params={params}
        searchLabel={t('rejected.search')}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => `${row.imei} ${row.receivedAt}`}
        onOpen={setOpen}
        empty={{ title: t('rejected.empty'), text: t('rejected.emptyText') }}
      />
      {open && <Payload row={open} onClose={() => setOpen(null)} />}
    </Page>
  )
}

function Reason({ row }: { row: RejectedReading }) {
  const { t } = useTranslation('devices')
  const broken = brokenRule(row.reason, t)
  return (
    <>
      {t(`rejected.codes.${row.code}`, { defaultValue: row.code })}
      {broken && (
        <Text size="xs" c="dimmed">
          {broken}
        </Text>
      )}
    </>
  )
}

/** The rule as a sentence, behind the field that breaks it, which has the name the device sends; null where the code tells all. */
function brokenRule(reason: RejectedReading['reason'], t: TFunction<'devices'>): string | null {
  const rule = reason.rule ?? aboutFact.find((name) => name in reason)
  if (typeof rule !== 'string') return null
  const facts = Object.entries(reason).map(([name, value]) => [
    name,
    typeof value === 'number' ? formatNumber(value) : String(value),
  ])
  const text = String(t(`rejected.rules.${rule}`, { ...Object.fromEntries(facts), defaultValue: rule }))
  return typeof reason.field === 'string' ? named(reason.field, text) : text
}

const aboutFact = ['limit', 'months', 'hours', 'probe']

function Payload({ row, onClose }: { row: RejectedReading; onClose: () => void }) {
  const { t } = useTranslation('devices')
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t(`rejected.codes.${row.code}`, { defaultValue: row.code })}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack gap="xs">
        <Text size="sm">{t('rejected.receivedAt', { time: formatExactTime(row.receivedAt) })}</Text>
        {row.measuredAt && <Text size="sm">{t('rejected.measuredAt', { time: formatExactTime(row.measuredAt) })}</Text>}
        <Text size="sm">{brokenRule(row.reason, t)}</Text>
        <Text size="sm">
          {t(row.payloadIsText ? 'rejected.payload' : 'rejected.payloadBase64', {
            bytes: formatNumber(row.payloadBytes),
          })}
        </Text>
        <Code block style={{ maxHeight: 320, overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {row.payload}
        </Code>
      </Stack>
    </Modal>
  )
}
