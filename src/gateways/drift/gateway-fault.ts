import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { Invalid } from '../../kernel/errors.js';
import type { OutboundFault, OutboundFaultKind } from '../../platform/network/outbound.js';

/** A fault of a gateway: a stable code, and a phrase to follow its name. It quotes nothing of its answer. */
export class GatewayFault extends Error {
  constructor(
    readonly code: string,
    readonly what: string,
  ) {
    super(what);
  }
}

const outboundCodes: Readonly<Record<OutboundFaultKind, string>> = {
  refused: 'outbound_refused',
  unreachable: 'gateway_unreachable',
  timeout: 'gateway_timeout',
  redirected: 'gateway_redirected',
  too_large: 'gateway_answer_too_large',
  broken: 'gateway_invalid_answer',
};

/** Why a gateway could not be asked, or its answer is of no use. The connection's own fault comes before the client's. */
export function gatewayFault(error: unknown, outbound?: OutboundFault): GatewayFault {
  if (error instanceof GatewayFault) return error;
  if (outbound !== undefined) {
    const { kind, message } = outbound;
    return new GatewayFault(outboundCodes[kind], `could not be asked: ${message.replace(/\.$/, '')}`);
  }
  if (error instanceof Invalid) return unfit(`what can’t be read (${error.code})`);
  if (error instanceof UnauthorizedError) return unauthorized();
  if (error instanceof SdkHttpError) {
    const { status } = error;
    if (status === 401 || status === 403) return unauthorized();
    return new GatewayFault('gateway_error', `answers with the status ${String(status)}`);
  }
  if (error instanceof ProtocolError)
    return new GatewayFault('gateway_error', `refuses with the JSON-RPC error ${String(error.code)}`);
  return error instanceof SdkError ? ofClient(error) : invalid('what is no MCP');
}

function ofClient({ code, message }: SdkError): GatewayFault {
  switch (code) {
    case SdkErrorCode.RequestTimeout:
      return new GatewayFault('gateway_timeout', 'did not answer in time');
    case SdkErrorCode.CapabilityNotSupported:
      return invalid('that it offers no tools');
    case SdkErrorCode.EraNegotiationFailed:
      return new GatewayFault(
        'gateway_protocol_mismatch',
        'does not speak the revision of MCP that is asked for',
      );
    case SdkErrorCode.InvalidResult:
      return /inputSchema|outputSchema/.test(message)
        ? new GatewayFault('gateway_invalid_schema', 'lists a tool whose schema is none of an object')
        : invalid('a list that breaks the protocol');
    default:
      return invalid('what is no MCP');
  }
}

function unauthorized(): GatewayFault {
  return new GatewayFault(
    'gateway_unauthorized',
    'does not accept the credential: give the gateway auth with the name of a secret that the service reads from SECRETS_DIR, or mend the token in it (the development gateway also takes --anonymous)',
  );
}

function unfit(what: string): GatewayFault {
  return new GatewayFault('gateway_invalid_tools', `lists ${what}`);
}

function invalid(what: string): GatewayFault {
  return new GatewayFault('gateway_invalid_answer', `answers ${what}`);
}

/** Characters of the phrase: names from outside may be in it. */
const MAX_LENGTH = 400;

/** A listed tool that can't be accepted as it is; `pointer` leads to it. */
export function toolFault(pointer: string, detail: string): GatewayFault {
  const inSchema = /\/(inputSchema|outputSchema)(\/|$)/.test(pointer);
  const what = `lists what can’t be accepted at ${pointer}: ${detail.replace(/\.$/, '')}`;
  return new GatewayFault(
    inSchema ? 'gateway_invalid_schema' : 'gateway_invalid_tools',
    // A cut may leave half a character, which can't be stored.
    what.slice(0, MAX_LENGTH).replace(/\p{Surrogate}$/u, ''),
  );
}
