import type { BulkResult } from '@isotherm/contract/device-bulk.ts'
import { devices } from '@isotherm/contract/devices.ts'
import { Alert, Button, Checkbox, Group, Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { isCallError } from '../../../lib/call-error.ts'
import { download } from '../../../lib/download.ts'
import { refetchCalls } from '../../../lib/query.ts'
import frames from '../../../ui/frames.module.css'
import { OpenHere } from '../../../ui/open-here.tsx'
import { Page } from '../../../ui/page.tsx'
import { secretsFile, secretsOf } from '../bulk-file.ts'
import { BulkDrop } from '../parts/bulk-drop.tsx'
import { BulkRows } from '../parts/bulk-rows.tsx'

interface Chosen {
  name: string
  csv: string
}

/** Sets up, or renames, tags and limits, many devices by a file: first what would happen, then all of it or nothing. */
export function BulkSetupPage() {
  const { t } = useTranslation('deviceBulk')
  return (
    <Page title={t('title')} breadcrumb={<Link to="/devices/device-overview">{t('devices:title')}</Link>}>
      <OpenHere row={devices.setupBulk}>
        <BulkSetup />
      </OpenHere>
    </Page>
  )
}

function BulkSetup() {
  const { t } = useTranslation('deviceBulk')
  const bulk = useBulk()
  const { file, result, faults, busy, override } = bulk
  const writes = result ? (result.counts.new ?? 0) + (result.counts.changes ?? 0) : 0
  const isClean = result !== null && (result.counts.error ?? 0) === 0
  return (
    <div className={frames.stack}>
      <Text size="sm" c="dimmed" maw={680}>
        {t('intro')}
      </Text>
      <BulkDrop fileName={file?.name ?? null} busy={busy} onFile={(next) => bulk.check(next, override)} />
      {file && !result?.applied && (
        <Checkbox
          label={t('override')}
          checked={override}
          disabled={busy}
          onChange={(event) => bulk.check(file, event.currentTarget.checked)}
        />
      )}
      <div role="status" className={frames.stack}>
        {faults.length > 0 && (
          <Alert color="red" variant="light" title={t('refused')}>
            {faults.map((fault) => (
              <div key={fault}>{fault}</div>
            ))}
          </Alert>
        )}
        {busy && !result && <Skeleton height={160} radius="sm" role="status" aria-label={t('checking')} />}
        {result && <Outcome result={result} writes={writes} isClean={isClean} />}
      </div>
      {result && !result.applied && isClean && writes > 0 && (
        <Group>
          <Button loading={busy} onClick={() => bulk.apply()}>
            {t('apply', { count: writes })}
          </Button>
        </Group>
      )}
      {result?.applied && <NewSecrets secrets={secretsOf(result.rows)} />}
      {result && <BulkRows key={bulk.round} result={result} />}
    </div>
  )
}

function Outcome({ result, writes, isClean }: { result: BulkResult; writes: number; isClean: boolean }) {
  const { t } = useTranslation('deviceBulk')
  if (result.applied && writes > 0)
    return (
      <Alert color="teal" variant="light" title={t('applied', { count: writes })}>
        <Link to="/devices/device-overview">{t('toDevices')}</Link>
      </Alert>
    )
  if (!isClean)
    return (
      <Alert color="red" variant="light" title={t('errors', { count: result.counts.error ?? 0 })}>
        {t('errorsText')}
      </Alert>
    )
  if (writes === 0) return <Alert color="gray" variant="light" title={t('nothing')} />
  return <Text size="sm">{t('ready')}</Text>
}

/** Secrets that are shown this once. */
function NewSecrets({ secrets }: { secrets: ReadonlyMap<string, string> }) {
  const { t } = useTranslation('deviceBulk')
  if (secrets.size === 0) return null
  return (
    <Alert color="orange" variant="light" title={t('secretsTitle', { count: secrets.size })}>
      <Text size="sm" mb="sm">
        {t('secretsText')}
      </Text>
      <Button onClick={() => download(secretsFile(secrets), 'secrets.csv')}>{t('secretsFile')}</Button>
    </Alert>
  )
}

/** The file, what the server says of it, and the newest answer only: a file chosen meanwhile counts. */
function useBulk() {
  const [file, setFile] = useState<Chosen | null>(null)
  const [override, setOverride] = useState(false)
  const [result, setResult] = useState<BulkResult | null>(null)
  const [faults, setFaults] = useState<string[]>([])
  const [busy, setBusy] = useState(false)
  const round = useRef(0)
  const send = async (chosen: Chosen, takesOdd: boolean, dryRun: boolean) => {
    round.current += 1
    const mine = round.current
    setBusy(true)
    try {
      const answer = await call(
        devices.setupBulk,
        { body: { csv: chosen.csv, dryRun, overrideImeiCheck: takesOdd } },
        { toastAll: true },
      )
      if (mine !== round.current) return
      setResult(answer)
      setFaults([])
      if (answer.applied) void refetchCalls(devices.list, devices.summary, devices.one, devices.chart)
    } catch (error) {
      if (mine !== round.current || !isCallError(error)) return
      setFaults(error.fields.csv ?? [error.message])
    } finally {
      if (mine === round.current) setBusy(false)
    }
  }
  const check = (chosen: Chosen, takesOdd: boolean) => {
    setFile(chosen)
    setOverride(takesOdd)
    setResult(null)
    setFaults([])
    void send(chosen, takesOdd, true)
  }
  const apply = () => {
    if (file) void send(file, override, false)
  }
  return { file, override, result, faults, busy, round: round.current, check, apply }
}
