/** A bucket, the folder in it, and how to reach it. */
export interface S3Place {
  /** Such as `https://s3.eu-central-1.amazonaws.com`; the bucket is the first part of each path. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Begins every key: empty, or with a slash at its end. */
  readonly prefix: string
}

/** The credentials of a store; never shown or logged. */
export interface S3Credentials {
  readonly keyId: string
  readonly secret: string
}

/** A store, and how to be let in. */
export interface S3Settings {
  readonly place: S3Place
  readonly credentials: S3Credentials
}

const URL_FORM = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9!_.*'()/-]*))?$/

/** Returns true for an address of this kind of store, be it valid or not. */
export const isS3Address = (address: string) => address.startsWith('s3:')

/** Reads `s3://bucket/folder`; undefined if it is not of this form. */
export function readS3Address(address: string): Pick<S3Place, 'bucket' | 'prefix'> | undefined {
  const [, bucket, path = ''] = URL_FORM.exec(address) ?? []
  const folders = path.split('/').filter(folder => folder !== '')
  if (bucket === undefined || folders.some(folder => /^\.+$/.test(folder))) return undefined
  return { bucket, prefix: folders.map(folder => `${folder}/`).join('') }
}

/** Returns the address that people read: `s3://bucket/folder`. */
export const addressOf = ({ bucket, prefix }: S3Place) => `s3://${bucket}/${prefix}`.replace(/\/$/, '')
