import { csvLimits } from '@isotherm/contract/csv-import.ts'
import { Button, Text } from '@mantine/core'
import { IconDownload, IconFileUpload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { download } from '../../../lib/download.ts'
import { textOf } from '../../../lib/file-text.ts'
import { currentLocale } from '../../../lib/i18n.ts'
import { toastError } from '../../../lib/toast.ts'
import { FileButton, FileDrop } from '../../../ui/file-chooser.tsx'
import { templateOf } from '../bulk-file.ts'
import classes from './bulk.module.css'

interface BulkDropProps {
  fileName: string | null
  busy: boolean
  onFile: (file: { name: string; csv: string }) => void
}

/** Takes a file by dropping or choosing it, and offers the template. */
export function BulkDrop({ fileName, busy, onFile }: BulkDropProps) {
  const { t } = useTranslation('deviceBulk')
  const take = async (file: File) => {
    if (busy) return
    if (file.size > csvLimits.bytes) return toastError(t('tooLarge'))
    try {
      onFile({ name: file.name, csv: textOf(await file.arrayBuffer()) })
    } catch {
      toastError(t('unreadable'))
    }
  }
  return (
    <FileDrop className={classes.drop} label={t('file')} onFile={(file) => void take(file)}>
      <Text size="sm">{fileName ? t('chosen', { name: fileName }) : t('dropHere')}</Text>
      <div className={classes.buttons}>
        <FileButton
          label={t('choose')}
          accept=".csv,text/csv,text/plain"
          variant={fileName ? 'default' : 'filled'}
          leftSection={<IconFileUpload size={16} />}
          loading={busy}
          onFile={(file) => void take(file)}
        >
          {t(fileName ? 'chooseOther' : 'choose')}
        </FileButton>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => download(templateOf(currentLocale()), 'devices-template.csv')}
        >
          {t('template')}
        </Button>
      </div>
    </FileDrop>
  )
}
