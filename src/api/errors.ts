/**
 * Names in the error envelope (specification 2.1), shared by HTTP and WebSocket. They are those of
 * specification 7; for the three whose wording varies there, one form is used throughout.
 */
const NAMES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Resource not found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Resource conflict',
  411: 'Length Required',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable entity',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const

export type ErrorCode = keyof typeof NAMES

export interface ErrorEnvelope {
  readonly status: false
  readonly code: ErrorCode
  readonly name: string
  readonly message: string
}

export function errorEnvelope(code: ErrorCode, message: string): ErrorEnvelope {
  return { status: false, code, name: NAMES[code], message }
}
