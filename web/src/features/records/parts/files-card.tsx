import {
  type AdditionKind,
  type RecordAttachment,
  type RecordDetails,
  recordLimits,
  records,
} from '@isotherm/contract/records.ts'
import { ActionIcon, Paper, Progress, Tooltip } from '@mantine/core'
import { IconDownload, IconPaperclip, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { download } from '../../../lib/download.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastError, toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import { FileButton } from '../../../ui/file-chooser.tsx'
import frames from '../../../ui/frames.module.css'
import { type SeenSigners, signersNow } from '../signers.ts'
import { refetchRecords } from '../use-record-actions.ts'
import { AdditionDialog } from './addition-dialog.tsx'
import classes from './records.module.css'

interface Sending {
  name: string
  percent: number
}

const megabyte = 1024 * 1024

export function FilesCard({ record, mayEdit }: { record: RecordDetails; mayEdit: boolean }) {
  const { t } = useTranslation('records')
  const [sending, setSending] = useState<Sending | null>(null)
  const [asked, setAsked] = useState<({ file: File } & SeenSigners) | null>(null)
  const send = async (file: File, kind: AdditionKind, seenSignatures: number) => {
    const onProgress = (share: number) => setSending({ name: file.name, percent: Math.round(share * 100) })
    onProgress(0)
    try {
      const body = { file, kind, seenSignatures }
      await call(records.attach, { params: { id: record.id }, body }, { toastAll: true, onProgress })
      toastSuccess(t('files.added'))
      await refetchRecords()
    } finally {
      setSending(null)
    }
  }
  const attach = async (file: File) => {
    if (file.size > recordLimits.attachmentBytes)
      return toastError(t('files.tooLarge', { limit: recordLimits.attachmentBytes / megabyte }))
    try {
      const found = await signersNow(record.id)
      if (found.signers.length > 0) setAsked({ file, ...found })
      else await send(file, 'part', found.seenSignatures)
    } catch {
      // The call has toasted what goes wrong.
    }
  }
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="record-files">
      <h2 id="record-files">{t('files.title')}</h2>
      {record.attachments.length === 0 && <p className={frames.note}>{t('files.empty')}</p>}
      <ul className={classes.list}>
        {record.attachments.map((file) => (
          <li key={file.id} className={classes.item}>
            <div>
              <p className={classes.text}>{file.name}</p>
              <div className={frames.note}>
                {file.isAddendum && `${t('addendum.mark')} · `}
                {t('files.size', { size: formatNumber(Math.max(1, Math.round(file.sizeBytes / 1000))) })} · {file.by},{' '}
                {formatTime(file.at)}
              </div>
              <div className={`${frames.note} ${classes.hash}`}>SHA-256 {file.sha256}</div>
            </div>
            <FileActions recordId={record.id} file={file} mayEdit={mayEdit} />
          </li>
        ))}
      </ul>
      {mayEdit && (
        <>
          <FileButton
            label={t('files.add')}
            accept=".png,.jpg,.jpeg,.webp,.pdf,.csv,.txt"
            variant="default"
            mt="sm"
            leftSection={<IconPaperclip size={16} />}
            loading={sending !== null}
            onFile={(file) => void attach(file)}
          >
            {t('files.add')}
          </FileButton>
          {sending && <Upload {...sending} />}
          <p className={frames.note}>{t('files.help', { limit: recordLimits.attachmentBytes / megabyte })}</p>
        </>
      )}
      {asked && (
        <AdditionDialog
          signers={asked.signers}
          add={(kind) => send(asked.file, kind, asked.seenSignatures)}
          onClose={() => setAsked(null)}
        />
      )}
    </Paper>
  )
}

/** How much of a file has been sent. At 100 % the server judges it. */
function Upload({ name, percent }: Sending) {
  const { t } = useTranslation('records')
  return (
    <>
      <p className={frames.note}>{t('files.sending', { name, percent: formatNumber(percent) })}</p>
      <Progress value={percent} size="sm" aria-label={t('files.sending', { name, percent: formatNumber(percent) })} />
    </>
  )
}

interface FileActionsProps {
  recordId: string
  file: RecordAttachment
  mayEdit: boolean
}

function FileActions({ recordId, file, mayEdit }: FileActionsProps) {
  const { t } = useTranslation('records')
  const load = async () => {
    try {
      download(await call(records.attachment, { params: { id: file.id } }, { toastAll: true }), file.name)
    } catch {
      // The call has toasted it.
    }
  }
  const remove = async () => {
    const found = await signersNow(recordId, file).catch(() => null)
    if (!found) return
    const { signers, seenSignatures } = found
    confirm({
      title: t('files.removeTitle', { name: file.name }),
      text: t('files.removeText'),
      warning: signers.length > 0 && t('addendum.removalVoids', { names: signers.join(', ') }),
      action: t('common:actions.delete'),
      destructive: true,
      run: async () => {
        await call(records.removeAttachment, { params: { id: file.id }, query: { seenSignatures } })
        await refetchRecords()
      },
    })
  }
  return (
    <div className={classes.devices}>
      <Tooltip label={t('files.download', { name: file.name })}>
        <ActionIcon variant="subtle" aria-label={t('files.download', { name: file.name })} onClick={() => void load()}>
          <IconDownload size={16} />
        </ActionIcon>
      </Tooltip>
      {mayEdit && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('files.remove', { name: file.name })}
          onClick={() => void remove()}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </div>
  )
}
