import { bulkMaxBytes } from '@isotherm/contract/device-bulk.ts'
import { Button, Text } from '@mantine/core'
import { IconDownload, IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../../lib/download.ts'
import { currentLocale } from '../../../lib/i18n.ts'
import { toastError } from '../../../lib/toast.ts'
import { templateOf, textOf } from '../bulk-file.ts'
import classes from './bulk.module.css'

interface BulkDropProps {
  fileName: string | null
  busy: boolean
  onFile: (file: { name: string; csv: string }) => void
}

/** Takes a file by dropping or choosing it, and offers the template. */
export function BulkDrop({ fileName, busy, onFile }: BulkDropProps) {
  const { t } = useTranslation('deviceBulk')
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined) => {
    if (!file || busy) return
    if (file.size > bulkMaxBytes) return toastError(t('tooLarge'))
    try {
      onFile({ name: file.name, csv: textOf(await file.arrayBuffer()) })
    } catch {
      toastError(t('unreadable'))
    }
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void take(event.dataTransfer.files[0])
  }
  return (
    <section
      className={classes.drop}
      data-over={isOver || undefined}
      aria-label={t('file')}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <Text size="sm">{fileName ? t('chosen', { name: fileName }) : t('dropHere')}</Text>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv,text/plain"
        hidden
        aria-label={t('choose')}
        onChange={(event) => {
          void take(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <div className={classes.buttons}>
        <Button
          variant={fileName ? 'default' : 'filled'}
          leftSection={<IconFileUpload size={16} />}
          loading={busy}
          onClick={() => input.current?.click()}
        >
          {t(fileName ? 'chooseOther' : 'choose')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => download(templateOf(currentLocale()), 'devices-template.csv')}
        >
          {t('template')}
        </Button>
      </div>
    </section>
  )
}
