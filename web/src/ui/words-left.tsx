import { countWords } from '@isotherm/contract/common.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { Textarea, type TextareaProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A description of at most 150 words that counts down. */
export function DescriptionField({ value, ...rest }: TextareaProps & { value: string }) {
  const { t } = useTranslation()
  const left = limits.descriptionWords - countWords(value)
  return (
    <Textarea
      autosize
      minRows={4}
      maxRows={12}
      {...rest}
      value={value}
      description={t('form.wordsLeft', { count: left, limit: limits.descriptionWords })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={left < 0 ? t('form.tooManyWords', { limit: limits.descriptionWords }) : rest.error}
    />
  )
}
