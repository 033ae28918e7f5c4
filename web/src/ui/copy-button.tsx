import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../lib/copy-text.ts'
import { toastError } from '../lib/toast.ts'

/** So long a button says that the text was copied, ms. */
const saysSoMs = 2_000

interface CopyButtonProps {
  value: string
  children: (state: { copied: boolean; copy: () => void }) => ReactNode
}

/** Copies a text where the browser lets it, also on a page without TLS, which Mantine's own cannot; else a toast says so. */
export function CopyButton({ value, children }: CopyButtonProps) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(0)
  useEffect(() => {
    if (copied === 0) return
    const timer = setTimeout(() => setCopied(0), saysSoMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    copyText(value).then(
      () => setCopied((times) => times + 1),
      () => toastError(t('errors.notCopied')),
    )
  }
  return children({ copied: copied > 0, copy })
}
