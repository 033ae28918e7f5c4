import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { writtenPhone } from '../../lib/phones.ts'
import { useCompany } from '../../lib/profile.ts'

/** A phone number as people write it; below it stands the number that will be called. */
export function PhoneField({ value, ...input }: TextInputProps & { value?: string }) {
  const country = useCompany()?.country ?? null
  const [typed] = useDebouncedValue(value?.trim() ?? '', 300)
  const [written, setWritten] = useState<string | null>(null)
  useEffect(() => {
    let isLatest = true
    // Without its rules a number is not shown; the server judges it in any case.
    const show = (number: string | null) => isLatest && setWritten(number)
    if (typed === '') show(null)
    else writtenPhone(typed, country).then(show, () => show(null))
    return () => {
      isLatest = false
    }
  }, [typed, country])
  return (
    <TextInput
      {...input}
      value={value ?? ''}
      type="tel"
      autoComplete="off"
      maxLength={40}
      description={written === typed ? null : written}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  )
}
