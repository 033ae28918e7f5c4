import { Button, type ButtonProps } from '@mantine/core'
import { IconTableExport } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../lib/download.ts'

interface ExportButtonProps {
  fileName: string
  /** Makes the call, with `{ toastAll: true }`: an export says every failure. */
  load: () => Promise<Blob>
  /** With nothing to export nothing is exported. */
  disabled?: boolean
  label?: string
  size?: ButtonProps['size']
}

/** "Export CSV", where no other label is given. Show it only where the role may export. */
export function ExportButton({ fileName, load, disabled, label, size }: ExportButtonProps) {
  const { t } = useTranslation()
  const [loading, setLoading] = useState(false)
  const run = async () => {
    setLoading(true)
    try {
      download(await load(), fileName)
    } catch {
      // The call has toasted it.
    } finally {
      setLoading(false)
    }
  }
  return (
    <Button
      variant="default"
      size={size}
      leftSection={<IconTableExport size={16} />}
      loading={loading}
      disabled={disabled}
      onClick={() => void run()}
    >
      {label ?? t('list.exportCsv')}
    </Button>
  )
}
