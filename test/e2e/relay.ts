import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands before a server, so that it can be away, or lose its connections, without being stopped. */
export class Relay {
  /** Connections that were accepted. */
  accepted = 0;
  private isDown = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private target: URL,
  ) {}

  /** @param target address of the server, `http://host:port` */
  static async before(target: string): Promise<Relay> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const relay = new Relay(server, `http://127.0.0.1:${String(port)}`, new URL(target));
    server.on('connection', (socket) => {
      const { hostname: host, port } = relay.target;
      relay.relay(socket, connect(Number(port), host));
    });
    return relay;
  }

  /** Connections that are open. */
  get open(): number {
    return this.sockets.size / 2;
  }

  /** Whoever connects from now on is led to another server. */
  leadTo(target: string): void {
    this.target = new URL(target);
  }

  /** Whoever connects is cut off. */
  down(): void {
    this.isDown = true;
    this.cut();
  }

  up(): void {
    this.isDown = false;
  }

  /** Every connection is lost; new ones can be made. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Every connection is reset, as by a router that forgot it: what was on its way is lost. */
  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private relay(near: Socket, far: Socket): void {
    this.accepted += 1;
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => {
        this.sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    if (this.isDown) near.destroy();
    near.pipe(far).pipe(near);
  }
}
