import { type AuditVerdict, audit, CheckpointFile } from '@isotherm/contract/audit.ts'
import { Alert, Button, Group, Loader, Modal, Stack, Text, Title } from '@mantine/core'
import { IconFileCheck, IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastError } from '../../../lib/toast.ts'
import { FileButton } from '../../../ui/file-chooser.tsx'
import { useAskedClose } from '../../../ui/form/use-asked-close.ts'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { CheckpointAddress } from './checkpoint-address.tsx'

/** The finding, with or without a compared file, or that there could be none. */
type State = { verdict: AuditVerdict; compared: boolean } | 'busy' | 'failed'

/** Verifies the trail as it opens; compares it with a checkpoint file; offers what an auditor takes along. */
export function IntegrityDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('audit')
  const [state, setState] = useState<State>('busy')
  const mayPost = useCan(audit.changeSettings)
  const unsaved = useRef(false)
  const close = useAskedClose({ saving: false, isUnsaved: () => unsaved.current }, onClose)
  const verify = useCallback(async (file?: CheckpointFile) => {
    setState('busy')
    try {
      const verdict = file ? await call(audit.compare, { body: file }) : await call(audit.verify)
      setState({ verdict, compared: file !== undefined })
    } catch {
      setState('failed')
    }
  }, [])
  useEffect(() => void verify(), [verify])
  return (
    <Modal
      opened
      size="lg"
      onClose={close}
      title={t('screen.verify')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack gap="md">
        <div aria-live="polite">
          <Finding state={state} />
        </div>
        <Group gap="xs">
          <Button variant="default" size="xs" disabled={state === 'busy'} onClick={() => void verify()}>
            {t('integrity.again')}
          </Button>
          <CompareButton disabled={state === 'busy'} onFile={(file) => void verify(file)} />
        </Group>
        <section aria-labelledby="audit-take-along">
          <Title order={3} size="sm" id="audit-take-along">
            {t('integrity.keep')}
          </Title>
          <Text size="sm" c="dimmed" mb="xs">
            {t('integrity.keepText')}
          </Text>
          <Group gap="xs">
            <ExportButton
              size="xs"
              fileName="audit-checkpoints.json"
              label={t('integrity.checkpoints')}
              load={() => call(audit.checkpoints, {}, { toastAll: true })}
            />
            <ExportButton
              size="xs"
              fileName="audit-trail.jsonl"
              label={t('integrity.evidence')}
              load={() => call(audit.evidence, {}, { toastAll: true })}
            />
          </Group>
        </section>
        {mayPost && <CheckpointAddress unsaved={unsaved} />}
      </Stack>
    </Modal>
  )
}

function Finding({ state }: { state: State }) {
  const { t } = useTranslation('audit')
  if (state === 'busy')
    return (
      <Group gap="xs" role="status">
        <Loader size="sm" />
        <Text size="sm">{t('integrity.busy')}</Text>
      </Group>
    )
  if (state === 'failed') return <Alert color="gray" title={t('screen.notVerified')} />
  const { whole, entries, words, checkpoints, signedTo, signedAt } = state.verdict
  const Icon = whole ? IconShieldCheck : IconShieldX
  return (
    <Alert
      color={whole ? 'teal' : 'red'}
      icon={<Icon />}
      title={
        // Its own colour has too little contrast on its ground.
        <Text span inherit c="var(--mantine-color-text)">
          {whole ? t('screen.whole', { count: entries, total: formatNumber(entries) }) : t('screen.broken')}
        </Text>
      }
    >
      <Text size="sm">{words}</Text>
      <Text size="sm" mt={4}>
        {signedTo && signedAt
          ? t('integrity.signed', {
              count: checkpoints,
              checkpoints: formatNumber(checkpoints),
              entry: formatNumber(Number(signedTo)),
              at: formatTime(signedAt),
            })
          : t('integrity.unsigned')}
      </Text>
      {state.compared && (
        <Text size="sm" mt={4}>
          {t('integrity.compared')}
        </Text>
      )}
    </Alert>
  )
}

function CompareButton({ disabled, onFile }: { disabled: boolean; onFile: (file: CheckpointFile) => void }) {
  const { t } = useTranslation('audit')
  const read = async (file: File) => {
    try {
      onFile(CheckpointFile.parse(JSON.parse(await file.text())))
    } catch {
      toastError(t('integrity.unreadable'))
    }
  }
  return (
    <FileButton
      label={t('integrity.compare')}
      accept=".json"
      variant="default"
      size="xs"
      disabled={disabled}
      leftSection={<IconFileCheck size={16} />}
      onFile={(file) => void read(file)}
    >
      {t('integrity.compare')}
    </FileButton>
  )
}
