import { useEffect, useState } from 'react'

/** A picture that came with a call, or was chosen here. */
export function BlobPicture({ blob, alt, className }: { blob: Blob; alt: string; className: string | undefined }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address && <img src={address} alt={alt} className={className} />
}
