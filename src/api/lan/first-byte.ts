import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';

/** Every TLS connection begins with a record of the type `handshake` (RFC 8446, 5.1); no method of HTTP begins with this byte. */
const HANDSHAKE = 0x16;

/**
 * Lets one port speak two protocols: a connection that begins with a TLS handshake goes to the TLS server, any other to the plain one. So a
 * device that does not trust the shop yet, or a person who typed the address without `https://`, gets words instead of broken bytes.
 * The listeners of other parts for `connection` see every connection, as before.
 * @param waitMs how long a connection may say nothing
 */
export function divideByFirstByte(server: TlsServer, plain: Server, waitMs: number): void {
  const handshakes = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    socket.setTimeout(waitMs, () => socket.destroy());
    socket.once('error', () => socket.destroy());
    socket.once('data', (bytes: Buffer) => {
      socket.pause();
      socket.unshift(bytes);
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      if (bytes[0] === HANDSHAKE) for (const handshake of handshakes) handshake.call(server, socket);
      else {
        plain.emit('connection', socket);
        socket.resume();
      }
    });
  });
}
