import { type Report, type ReportRun, type RunFile, reportLimits, reports } from '@isotherm/contract/reports.ts'
import { Alert, Anchor, Button, Drawer, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { IconDownload, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDate, formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import { runReport } from '../run-report.ts'
import { NotMailed } from './not-mailed.tsx'
import { RunState } from './run-state.tsx'

const isUnderWay = ({ state }: ReportRun) => state === 'waiting' || state === 'building'
/** It is ready, and its mails are on their way: not for ever, a mail server may be down. */
const isMailed = ({ finishedAt, mails }: ReportRun) =>
  finishedAt !== null && mails.sent < mails.total && Date.now() - Date.parse(finishedAt) < 60_000
const step = 20

/** The runs of a report, newest first; those being built show their progress. */
export function RunsDrawer({ report, onClose }: { report: Report; onClose: () => void }) {
  const { t } = useTranslation('reports')
  const mayEdit = useCan('reports.addOrEdit')
  const [perPage, setPerPage] = useState(step)
  const [isWatched, setWatched] = useState(true)
  const answer = useCall(
    reports.runs,
    { params: { id: report.id }, query: { perPage } },
    { keepPrevious: true, refetchMs: isWatched ? 1_000 : 30_000 },
  )
  const runs = answer.data?.data
  const underWay = runs?.some(isUnderWay) ?? false
  const watched = underWay || (runs?.some(isMailed) ?? false)
  if (runs && isWatched !== watched) setWatched(watched)
  return (
    <Drawer
      opened
      onClose={onClose}
      title={t('runs.title', { name: report.name })}
      position="right"
      size={560}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack gap="sm">
        {mayEdit && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconPlayerPlay size={16} />}
              disabled={underWay}
              onClick={() => runReport(report)}
            >
              {t('actions.run')}
            </Button>
          </Group>
        )}
        <NotMailed report={report} />
        {report.faults.length > 0 && (
          <Alert color="orange">
            {report.faults.map((fault) => (
              <div key={fault}>{t(`faultsHelp.${fault}`)}</div>
            ))}
          </Alert>
        )}
        {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        {answer.isLoading && <Skeleton height={90} />}
        {runs?.length === 0 && <Text c="dimmed">{t('runs.empty')}</Text>}
        <Stack
          component="ul"
          gap="sm"
          p={0}
          m={0}
          aria-label={t('runs.list', { name: report.name })}
          style={{ listStyle: 'none' }}
        >
          {runs?.map((run) => (
            <li key={run.id}>
              <Run run={run} />
            </li>
          ))}
        </Stack>
        {answer.data && answer.data.meta.total > perPage && perPage < 200 && (
          <Button variant="subtle" onClick={() => setPerPage(Math.min(200, perPage + step * 2))}>
            {t('runs.more')}
          </Button>
        )}
      </Stack>
    </Drawer>
  )
}

/** The days it tells of: a period ends as the day after its last begins. */
function daysOf({ period, timezone }: ReportRun): string {
  const first = formatDate(period.from, timezone)
  const last = formatDate(Date.parse(period.to) - 1, timezone)
  return first === last ? first : `${first} – ${last}`
}

function Run({ run }: { run: ReportRun }) {
  const { t } = useTranslation('reports')
  const facts = [
    formatTime(run.dueAt),
    run.kind === 'manual' ? t('runs.byHand', { name: run.requestedBy ?? '' }) : t('runs.scheduled'),
    ...(run.devices === null ? [] : [t('runs.devices', { count: run.devices })]),
    ...(run.readings ? [t('runs.readings', { count: run.readings, number: formatNumber(run.readings) })] : []),
    ...(run.mails.total > 0 ? [t('runs.mails', run.mails)] : []),
  ]
  const expires = run.files.find(({ expiresAt }) => expiresAt)?.expiresAt
  const mayExport = useCan('reports.export')
  return (
    <Paper withBorder p="sm" radius="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <b>
          {daysOf(run)}{' '}
          <Text span size="xs" c="dimmed">
            {run.timezone.replaceAll('_', ' ')}
          </Text>
        </b>
        <RunState state={run.state} progress={run.progress} />
      </Group>
      <Text size="xs" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {run.failure && <Text size="sm">{t(`runs.failure.${run.failure}`, { limit: reportLimits.devices })}</Text>}
      {run.state === 'skipped' && <Text size="sm">{t('runs.skippedText')}</Text>}
      {run.files.map((file) => (
        <File key={file.id} file={file} />
      ))}
      {expires && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('runs.until', { time: formatTime(expires) })}
        </Text>
      )}
      {run.state === 'ready' && run.files.length === 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('runs.hidden')}
        </Text>
      )}
      {run.files.length > 0 && !mayExport && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('runs.noExport')}
        </Text>
      )}
    </Paper>
  )
}

function File({ file }: { file: RunFile }) {
  const { t } = useTranslation('reports')
  const size = t('runs.size', { size: formatNumber(Math.max(1, Math.round(file.sizeBytes / 1000))) })
  return (
    <Group gap="xs" mt={6} wrap="nowrap" align="center">
      {file.url ? (
        // Wherever the installation is published, here it is the one that showed this.
        <Anchor
          href={new URL(file.url).pathname}
          download={file.name}
          aria-label={t('runs.download', { name: file.name })}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          <IconDownload size={15} style={{ verticalAlign: '-2px', marginInlineEnd: 6 }} />
          {file.name}
        </Anchor>
      ) : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {file.name}
        </Text>
      )}
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {size}
      </Text>
      <Anchor
        size="xs"
        ms="auto"
        renderRoot={(props) => <Link {...props} to="/verify-report/$key" params={{ key: file.key }} target="_blank" />}
      >
        {t('runs.verify')}
      </Anchor>
      {file.removedAt && (
        <Text size="xs" c="dimmed">
          {t('runs.removed')}
        </Text>
      )}
    </Group>
  )
}
