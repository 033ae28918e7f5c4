import { useTranslation } from 'react-i18next'
import { confirm } from '../confirm.ts'
import type { EntityForm as Form } from './use-entity-form.ts'

/** Closes a form; with something unsaved it asks first, and while it saves it stays. */
export function useAskedClose(form: Pick<Form<object>, 'saving' | 'isUnsaved'>, onClose: () => void): () => void {
  const { t } = useTranslation()
  return () => {
    if (form.saving) return
    if (!form.isUnsaved()) return onClose()
    confirm({
      title: t('form.leaveTitle'),
      text: t('form.leaveText'),
      action: t('form.leave'),
      destructive: true,
      run: async () => onClose(),
    })
  }
}
