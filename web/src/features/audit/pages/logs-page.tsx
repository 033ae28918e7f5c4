import { type AuditLine, audit, auditFeatures } from '@isotherm/contract/audit.ts'
import { Button, Modal, Stack, Text } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatExactTime } from '../../../lib/times.ts'
import { toastError, toastSuccess } from '../../../lib/toast.ts'
import { Age } from '../../../ui/age.tsx'
import type { Column } from '../../../ui/list/column.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { Page } from '../../../ui/page.tsx'
import { Changes } from '../parts/changes.tsx'

const filters = { feature: auditFeatures } as const

/** The audit trail: an Admin's is whole, others see what concerns features they may view. */
export function LogsPage() {
  const { t } = useTranslation('audit')
  const isAdmin = useCan('admin')
  const params = useListParams({ sort: '', filters })
  const feature = auditFeatures.find((name) => name === params.filters.feature)
  const answer = useCall(
    audit.list,
    { query: { page: params.page, perPage: params.perPage, search: params.search || undefined, feature } },
    { keepPrevious: true, refetchMs: 60_000 },
  )
  const [open, setOpen] = useState<AuditLine | null>(null)
  const columns = useMemo<Column<AuditLine>[]>(
    () => [
      { key: 'title', title: t('screen.what'), render: (line) => <What line={line} /> },
      { key: 'who', title: t('screen.who'), render: (line) => line.who ?? t('screen.nobody') },
      { key: 'from', title: t('screen.from'), hideBelow: 1100, render: (line) => line.address || '–' },
      { key: 'at', title: t('screen.when'), width: 150, render: (line) => <Age at={line.at} /> },
    ],
    [t],
  )
  return (
    <Page title={t('screen.title')} actions={isAdmin && <Verify />}>
      <ListView
        label={t('screen.title')}
        answer={answer}
        params={params}
        searchLabel={t('screen.search')}
        filters={[
          {
            name: 'feature',
            label: t('screen.feature'),
            allLabel: t('screen.all'),
            options: auditFeatures.map((value) => ({ value, label: t(`screen.features.${value}`) })),
          },
        ]}
        columns={columns}
        rowId={(line) => line.id}
        rowName={(line) => `${line.title} ${line.target?.name ?? ''}`}
        onOpen={setOpen}
        empty={{ title: t('screen.empty') }}
      />
      {open && <Details line={open} onClose={() => setOpen(null)} />}
    </Page>
  )
}

function What({ line }: { line: AuditLine }) {
  return (
    <>
      {line.title}
      {line.target && (
        <Text size="xs" c="dimmed">
          {line.target.name}
        </Text>
      )}
    </>
  )
}

/** Recomputes the trail from its first entry; that may take a while. */
function Verify() {
  const { t } = useTranslation('audit')
  const [busy, setBusy] = useState(false)
  const verify = async () => {
    setBusy(true)
    try {
      const { whole, entries, brokenAt } = await call(audit.verify)
      if (whole) toastSuccess(t('screen.whole', { count: entries, total: formatNumber(entries) }))
      else toastError(t('screen.broken', { entry: brokenAt }))
    } catch {
      toastError(t('screen.notVerified'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="default" leftSection={<IconShieldCheck size={16} />} loading={busy} onClick={() => void verify()}>
      {t('screen.verify')}
    </Button>
  )
}

function Details({ line, onClose }: { line: AuditLine; onClose: () => void }) {
  const { t } = useTranslation('audit')
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={line.title}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack gap="xs">
        <Text size="sm">
          {t('screen.entry', { entry: line.id })} · {formatExactTime(Date.parse(line.at))}
        </Text>
        <Text size="sm">
          {t('screen.who')}: {line.who ?? t('screen.nobody')}
        </Text>
        {line.target && (
          <Text size="sm">
            {t('screen.about')}: {line.target.name}
          </Text>
        )}
        {line.reason && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('screen.reason')}: {line.reason}
          </Text>
        )}
        <Changes changes={line.changes} />
        {line.address && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {t('screen.from')}: {line.address} · {line.agent}
          </Text>
        )}
      </Stack>
    </Modal>
  )
}
