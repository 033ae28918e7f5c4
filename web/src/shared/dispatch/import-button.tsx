import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyWithTexts } from '../../lib/lazy-with-texts.ts'
import type { ImportDialogProps } from './import-dialog.tsx'

const ImportDialog = lazyWithTexts('csvImport', async () => (await import('./import-dialog.tsx')).ImportDialog)

/** "Import CSV". Show it only where the role may add. */
export function ImportButton(props: Omit<ImportDialogProps, 'onClose'>) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconUpload size={16} />} onClick={() => setIsOpen(true)}>
        {t('list.importCsv')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ImportDialog {...props} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
