import { Button, Input } from '@mantine/core'
import { type Ref, useImperativeHandle, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Signature, signatureOn, signatureSize } from '../../../shared/hand-over/signature-on.ts'
import classes from './order-links.module.css'

/** A glass to sign on by finger, pen or mouse; the form reads it as it is sent. */
export function SignatureField({ ref }: { ref: Ref<Signature> }) {
  const { t } = useTranslation('orderLinks')
  const canvas = useRef<HTMLCanvasElement>(null)
  const signature = useRef<Signature>(null)
  useImperativeHandle(ref, () => {
    if (!canvas.current) throw new Error('the glass is not there')
    signature.current ??= signatureOn(canvas.current)
    return signature.current
  }, [])
  return (
    <Input.Wrapper label={t('form.signature')} labelElement="div" description={t('form.signatureHelp')}>
      <canvas ref={canvas} {...signatureSize} className={classes.glass} role="img" aria-label={t('form.signature')} />
      <Button size="xs" variant="default" onClick={() => signature.current?.clear()}>
        {t('form.clear')}
      </Button>
    </Input.Wrapper>
  )
}
