import { type BulkKindName, type BulkUpload, bulkLimits, DateOrder } from '@isotherm/contract/bulk-uploads.ts'
import { Alert, Button, Checkbox, Group, Modal, NativeSelect, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { download } from '../../../lib/download.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { FileButton } from '../../../ui/file-chooser.tsx'
import { usePhone } from '../../../ui/use-phone.ts'
import { isUnderWay, type UploadCalls, useUpload } from '../use-upload.ts'
import { UploadOutcome } from './upload-outcome.tsx'

interface UploadDialogProps {
  title: string
  calls: UploadCalls
  /** The things in the file; names the files to download. */
  name: BulkKindName
  onStored: () => void
  onClose: () => void
}

/** Adds the rows of a file: first the server says what is wrong with them, then all are added. */
export function UploadDialog({ title, calls, name, onStored, onClose }: UploadDialogProps) {
  const { t } = useTranslation('bulkUploads')
  const isPhone = usePhone()
  const { file, dateOrder, fillsMerged, upload, faults, sent, isBusy, ...acts } = useUpload(calls, onStored)
  const { take, orderDates, fillMerged, apply } = acts
  const isReady = upload?.state === 'ready'
  const isStored = upload?.state === 'stored'
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      fullScreen={isPhone}
      title={title}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm">{t(`intro.${name}`, { rows: formatNumber(bulkLimits.rows) })}</Text>
        <Templates calls={calls} name={name} />
        <NativeSelect
          label={t('dates.label')}
          value={dateOrder}
          disabled={isBusy}
          onChange={(event) => orderDates(DateOrder.parse(event.currentTarget.value))}
          data={DateOrder.options.map((value) => ({ value, label: t(`dates.${value}`) }))}
        />
        <Checkbox
          label={t('fillMerged')}
          checked={fillsMerged}
          disabled={isBusy}
          onChange={({ currentTarget }) => fillMerged(currentTarget.checked)}
        />
        <Group gap="sm">
          <FileButton
            label={t('file')}
            accept=".xlsx,.csv,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            variant={isReady || isStored ? 'default' : 'filled'}
            loading={isBusy}
            onFile={take}
          >
            {t(file ? 'chooseOther' : 'choose')}
          </FileButton>
          {file && (
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
              {file.name}
            </Text>
          )}
        </Group>
        <div role="status">
          {faults.map((fault) => (
            <Alert key={fault} color="red" variant="light">
              {fault}
            </Alert>
          ))}
          {isBusy && <Under upload={upload} sent={sent} />}
          {upload && !isUnderWay(upload) && <UploadOutcome upload={upload} calls={calls} name={name} />}
        </div>
        {isReady && (
          <Group gap="sm">
            <Button onClick={apply}>{t('apply', { count: upload.rows ?? 0 })}</Button>
          </Group>
        )}
        {isStored && (
          <Group gap="sm">
            <Button onClick={onClose}>{t('toList')}</Button>
          </Group>
        )}
      </Stack>
    </Modal>
  )
}

function Templates({ calls, name }: Pick<UploadDialogProps, 'calls' | 'name'>) {
  const { t } = useTranslation('bulkUploads')
  const load = async (format: 'xlsx' | 'csv') => {
    try {
      download(await call(calls.template, { query: { format } }, { toastAll: true }), `${name}-template.${format}`)
    } catch {
      // The call has toasted it.
    }
  }
  return (
    <Group gap="sm">
      <Text size="sm" fw={600}>
        {t('templates')}
      </Text>
      {(['xlsx', 'csv'] as const).map((format) => (
        <Button
          key={format}
          size="compact-md"
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => void load(format)}
        >
          {t(format === 'xlsx' ? 'asBook' : 'asCsv')}
        </Button>
      ))}
    </Group>
  )
}

function Under({ upload, sent }: { upload: BulkUpload | null; sent: number | null }) {
  const { t } = useTranslation('bulkUploads')
  const said = upload === null ? t('sending') : t(upload.isDryRun ? 'checking' : 'adding')
  const percent = upload === null ? Math.round((sent ?? 0) * 100) : upload.progress
  return (
    <Stack gap={6}>
      <Text size="sm">{said}</Text>
      <Progress value={percent} aria-label={said} />
      {upload && !upload.isDryRun && (
        <Text size="xs" c="dimmed">
          {t('leave')}
        </Text>
      )}
    </Stack>
  )
}
