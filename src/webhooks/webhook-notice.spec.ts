import { cloudEvent, pauseAfter, signed } from './webhook-notice.js';

test('signs as Standard Webhooks does', () => {
  // The example of its specification.
  const headers = signed('{"test": 2432232314}', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    seconds: 1614265330,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('tells that there is something new, and nothing of it', () => {
  const kind = 'catalog-changed';
  const notice = {
    deliveryId: 'd',
    hostId: 'h',
    kind,
    position: 7,
    time: '2026-11-21T09:30:00.000Z',
  } as const;
  expect(JSON.parse(cloudEvent(notice))).toEqual({
    ...{ specversion: '1.0', id: 'd', source: 'urn:portal-catalog', type: 'catalog-changed', subject: 'h' },
    ...{ time: notice.time, datacontenttype: 'application/json', host: 'h', data: { position: 7 } },
  });
});

test('pauses grow twofold up to an hour, and are never all the same', () => {
  const attempts = [1, 2, 3, 4, 11, 12, 13, 5_000];
  expect(attempts.map((attempt) => pauseAfter(attempt, 0.5))).toEqual([2, 4, 8, 16, 2048, 3600, 3600, 3600]);
  expect([pauseAfter(2, 0), pauseAfter(2, 1)]).toEqual([3, 5]);
});
