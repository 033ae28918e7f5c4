import { type AuditLine, audit, auditFeatures } from '@isotherm/contract/audit.ts'
import { Button, Group, Text } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { formatMoment, formatTime } from '../../../lib/times.ts'
import type { Column } from '../../../ui/list/column.ts'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { PeriodFields } from '../../../ui/list/period-fields.tsx'
import { noRows } from '../../../ui/list/use-period.ts'
import { Page } from '../../../ui/page.tsx'
import classes from '../parts/changes.module.css'
import { EntryDetails } from '../parts/entry-details.tsx'
import { IntegrityDialog } from '../parts/integrity-dialog.tsx'
import { useTrailFilters } from '../use-trail-filters.ts'

/** The audit trail: an Admin's is whole, others see what concerns features they may view. */
export function LogsPage() {
  const { t } = useTranslation('audit')
  const { params, asked, from, to, crossed } = useTrailFilters()
  const answer = useCall(
    audit.list,
    { query: { page: params.page, perPage: params.perPage, ...asked } },
    { keepPrevious: true, refetchMs: 60_000, enabled: !crossed },
  )
  const [open, setOpen] = useState<AuditLine | null>(null)
  const [verifying, setVerifying] = useState(false)
  const columns = useMemo<Column<AuditLine>[]>(
    () => [
      { key: 'title', title: t('screen.what'), render: (line) => <What line={line} /> },
      { key: 'changes', title: t('screen.changes'), render: (line) => <Short line={line} /> },
      { key: 'who', title: t('screen.who'), render: (line) => line.who ?? t('screen.nobody') },
      { key: 'from', title: t('screen.from'), hideBelow: 1100, render: (line) => line.address || '–' },
      { key: 'at', title: t('screen.when'), width: 180, isTime: true, render: (line) => formatMoment(line.at) },
    ],
    [t],
  )
  return (
    <Page
      title={t('screen.title')}
      actions={
        <Actions asked={asked} isEmpty={crossed || answer.data?.meta.total === 0} onVerify={() => setVerifying(true)} />
      }
    >
      <ListView
        label={t('screen.title')}
        answer={crossed ? { ...answer, data: noRows } : answer}
        params={params}
        searchLabel={t('screen.search')}
        toolbarExtra={<PeriodFields params={params} from={from} to={to} crossed={crossed} />}
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
        card={(line) => <Card line={line} />}
        empty={{ title: t('screen.empty') }}
      />
      {open && <EntryDetails line={open} onClose={() => setOpen(null)} />}
      {verifying && <IntegrityDialog onClose={() => setVerifying(false)} />}
    </Page>
  )
}

interface ActionsProps {
  asked: ReturnType<typeof useTrailFilters>['asked']
  isEmpty: boolean
  onVerify: () => void
}

function Actions({ asked, isEmpty, onVerify }: ActionsProps) {
  const { t } = useTranslation('audit')
  const isAdmin = useCan('admin')
  // A person who may export nothing would get no more than their own entries.
  const mayExport = [useCan('devices.export'), useCan('alarms.export'), useCan('users.export'), useCan('groups.export')]
  return (
    <Group gap="xs">
      {(isAdmin || mayExport.includes(true)) && (
        <ExportButton
          fileName="audit-trail.csv"
          disabled={isEmpty}
          load={() => call(audit.exportCsv, { query: asked }, { toastAll: true })}
        />
      )}
      {isAdmin && (
        <Button variant="default" leftSection={<IconShieldCheck size={16} />} onClick={onVerify}>
          {t('screen.verify')}
        </Button>
      )}
    </Group>
  )
}

function What({ line }: { line: AuditLine }) {
  return (
    <>
      {line.title}
      {line.about && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {line.about}
        </Text>
      )}
    </>
  )
}

/** On a phone: what was done, what came of it, then who, when and from where in one line. */
function Card({ line }: { line: AuditLine }) {
  const { t } = useTranslation('audit')
  return (
    <span className={classes.card}>
      <Text span fw={550}>
        {line.title}
      </Text>
      {line.about && (
        <Text span size="sm">
          {line.about}
        </Text>
      )}
      {(line.changes.length > 0 || line.reason) && <Short line={line} />}
      <Text span size="xs" c="dimmed">
        {line.who ?? t('screen.nobody')} · {formatTime(line.at)}
        {line.address && ` · ${line.address}`}
      </Text>
    </span>
  )
}

const shown = 4

/** The facts of an entry, a line each; those beyond the first are counted, and open with it. */
function Short({ line: { changes, reason } }: { line: AuditLine }) {
  const { t } = useTranslation('audit')
  const said = changes.map(({ name, before, after }) =>
    t('screen.said', { name, value: `${before === null ? '' : `${before} → `}${after ?? '–'}` }),
  )
  const lines = reason ? [reason, ...said] : said
  if (lines.length === 0) return '–'
  const rest = lines.length - shown
  return (
    <span className={classes.facts}>
      {lines.slice(0, shown).map((text, place) => (
        <span key={text} className={place > 0 ? 'high-only' : undefined}>
          {text}
        </span>
      ))}
      {rest > 0 && <span className={`${classes.rest} high-only`}>{t('screen.more', { count: rest })}</span>}
    </span>
  )
}
