#!/usr/bin/env python3
"""The checks of h2spec that its sections `http2` and `hpack` name, written anew with nothing but sockets.

    h2spec.py HOST PORT PATH      a server of HTTP/2 in the clear; PATH is a page that it has

It stands in for h2spec (github.com/summerwind/h2spec) where that cannot be had. Frames are written by hand, so client and
server share no code. As there, a check for an error of a connection passes when the connection is closed, and one for an error of
a stream also with RST_STREAM; a GOAWAY of another code than the RFC's is listed and is not a failure. Ends with status 1
where a check fails.
"""

import socket
import struct
import sys
import time

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, ACK, END_HEADERS, PADDED, PRIO = 1, 1, 4, 8, 0x20
NAMES = "NO_ERROR PROTOCOL_ERROR INTERNAL_ERROR FLOW_CONTROL_ERROR SETTINGS_TIMEOUT STREAM_CLOSED FRAME_SIZE_ERROR " \
        "REFUSED_STREAM CANCEL COMPRESSION_ERROR".split()
PROTOCOL, FLOW, CLOSED, SIZE, REFUSED, COMPRESSION = 1, 3, 5, 6, 7, 9
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HOST, PORT, PATH = "", 0, ""
WAIT = 3.0


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def settings(*pairs):
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", *pair) for pair in pairs))


def window(stream, increment):
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", increment))


def field(name, value):
    """A literal without indexing and without Huffman code."""
    name, value = name.encode(), value.encode()
    return bytes([0, len(name)]) + name + b"\x7f" * (len(value) >= 127) + bytes([len(value) - 127 * (len(value) >= 127)]) + value


def block(*more, method="GET", without=()):
    fields = [(":method", method), (":scheme", "http"), (":path", PATH), (":authority", "localhost")]
    return b"".join(field(*pair) for pair in [pair for pair in fields if pair[0] not in without] + list(more))


def get(stream=1, flags=END_STREAM | END_HEADERS, fields=None):
    return frame(HEADERS, flags, stream, block() if fields is None else fields)


def post(stream=1, *more):
    """The header of a request with a body to come."""
    return frame(HEADERS, END_HEADERS, stream, block(*more, method="POST"))


class Connection:
    def __init__(self, *pairs, preface=PREFACE):
        self.socket = socket.create_connection((HOST, PORT), timeout=WAIT)
        self.read = b""
        self.send(preface)
        if preface == PREFACE:
            self.send(settings(*pairs))
            # The other side's settings, and its word that it has seen ours.
            self.until(lambda kind, flags, *_: kind == SETTINGS and flags & ACK)
            self.send(frame(SETTINGS, ACK))

    def send(self, *parts):
        try:
            self.socket.sendall(b"".join(parts))
        except OSError:
            pass  # closed: the next look tells

    def next(self):
        """A frame, or None where the connection is closed; TimeoutError where nothing comes."""
        while len(self.read) < 9 or len(self.read) < 9 + int.from_bytes(self.read[:3], "big"):
            try:
                more = self.socket.recv(65536)
            except TimeoutError:
                raise
            except OSError:
                return None
            if not more:
                return None
            self.read += more
        length, (kind, flags, stream) = int.from_bytes(self.read[:3], "big"), struct.unpack(">BBI", self.read[3:9])
        payload, self.read = self.read[9:9 + length], self.read[9 + length:]
        return kind, flags, stream & 0x7FFFFFFF, payload

    def until(self, is_it):
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            found = self.next()
            if found is None:
                raise AssertionError("the connection was closed")
            if is_it(*found):
                return found
            if found[0] in (GOAWAY, RST_STREAM):
                raise AssertionError(told(found))
        raise TimeoutError


def told(found):
    kind, _, _, payload = found
    code = struct.unpack(">I", payload[4:8] if kind == GOAWAY else payload[:4])[0]
    return f"{'GOAWAY' if kind == GOAWAY else 'RST_STREAM'} {NAMES[code] if code < len(NAMES) else code}"


def error(codes, of_stream):
    """A check that what was sent is an error of a connection, or of a stream; gives back another code than these."""
    def look(connection):
        end, other = time.monotonic() + WAIT, None
        while time.monotonic() < end:
            found = connection.next()
            if found is None:
                return other
            if found[0] == GOAWAY or found[0] == RST_STREAM and of_stream:
                if told(found).split()[1] in [NAMES[code] for code in codes]:
                    return None
                other = told(found) + ", not " + " or ".join(NAMES[code] for code in codes)
        raise TimeoutError
    return look


def connection_error(*codes):
    return error(codes, False)


def stream_error(*codes):
    return error(codes, True)


def answered(connection, stream=1):
    """A header comes for the stream."""
    connection.until(lambda kind, _, number, __: kind == HEADERS and number == stream)


def settings_acknowledged(connection):
    connection.until(lambda kind, flags, *_: kind == SETTINGS and flags & ACK)


def alive(connection):
    """A ping comes back."""
    connection.send(frame(PING, 0, 0, b"h2spec.."))
    connection.until(lambda kind, flags, _, payload: kind == PING and flags & ACK and payload == b"h2spec..")


def data_of(length):
    def look(connection):
        found = connection.until(lambda kind, *_: kind == DATA)
        assert len(found[3]) == length, f"DATA of {len(found[3])} bytes"
    return look


def after_end(*parts):
    """A request, its whole response, and then these."""
    def send(connection):
        connection.send(get())
        connection.until(lambda kind, flags, *_: kind in (DATA, HEADERS) and flags & END_STREAM)
        connection.send(*parts)
    return send


def too_many(connection):
    end = time.monotonic() + WAIT
    limit = 100
    for number in range(limit + 1):
        connection.send(frame(HEADERS, END_HEADERS, 2 * number + 1, block(method="POST")))
    while time.monotonic() < end:
        found = connection.next()
        if found is None or found[0] in (GOAWAY, RST_STREAM) and told(found).split()[1] in ("PROTOCOL_ERROR", "REFUSED_STREAM"):
            return
    raise TimeoutError


def window_grows(connection):
    connection.send(get())
    connection.send(settings((4, 1)))
    data_of(1)(connection)


def window_below_zero(connection):
    connection.send(get())
    data_of(3)(connection)
    connection.send(settings((4, 2)), window(1, 2))
    data_of(1)(connection)


def preface_comes(connection):
    pass  # The constructor has waited for it.


def checks():
    trailers = lambda fields: post() + frame(HEADERS, END_STREAM | END_HEADERS, 1, fields)
    request = lambda *more, **how: get(fields=block(*more, **how))
    doubled = lambda name: get(fields=block() + block(without=[n for n in (":method", ":scheme", ":path", ":authority") if n != name]))
    halves = block()[:20], block()[20:]
    closed = {"DATA": frame(DATA, END_STREAM, 1, b"x"), "HEADERS": get(), "CONTINUATION": frame(CONTINUATION, END_HEADERS, 1, block())}
    open_block = frame(HEADERS, END_STREAM, 1, halves[0])
    rst = lambda code=8: frame(RST_STREAM, 0, 1, struct.pack(">I", code))
    small = ((4, 1),)
    yield "3.5", "preface: settings come", b"", preface_comes
    yield "3.5", "preface that is none", "preface", connection_error(PROTOCOL)
    yield "4.1", "frame of unknown type", frame(0xFF, 0, 0, b"x" * 8), alive
    yield "4.1", "flags that are not defined", frame(PING, 0x16, 0, b"x" * 8), alive
    yield "4.1", "reserved bit of the stream", frame(PING, 0, 0x80000000, b"x" * 8), alive
    yield "4.2", "DATA of 2^14 bytes", post() + frame(DATA, END_STREAM, 1, b"x" * 16384), answered
    yield "4.2", "DATA of more", post() + frame(DATA, END_STREAM, 1, b"x" * 16385), stream_error(SIZE)
    yield "4.2", "HEADERS of more", get(fields=block() + field("x", "y" * 120) * 200), connection_error(SIZE)
    yield "4.3", "field block that is broken", get(fields=b"\x00\x01"), connection_error(COMPRESSION)
    yield "4.3", "PRIORITY within a field block", open_block + frame(PRIORITY, 0, 1, b"\0\0\0\0\x10"), connection_error(PROTOCOL)
    yield "4.3", "HEADERS of another stream within a field block", open_block + get(3), connection_error(PROTOCOL)
    for name, sent in [("DATA", frame(DATA, END_STREAM, 1, b"x")), ("RST_STREAM", rst()), ("WINDOW_UPDATE", window(1, 100)),
                       ("CONTINUATION", frame(CONTINUATION, END_HEADERS, 1, block()))]:
        yield "5.1", f"idle: {name}", sent, connection_error(PROTOCOL)
    for name, sent in closed.items():
        codes = (CLOSED, PROTOCOL) if name == "CONTINUATION" else (CLOSED,)
        yield "5.1", f"half closed (remote): {name}", get() + sent, stream_error(*codes)
    for name, sent in closed.items():
        codes = (CLOSED, PROTOCOL) if name == "CONTINUATION" else (CLOSED,)
        yield "5.1", f"closed by RST_STREAM: {name}", post() + rst() + sent, stream_error(*codes)
    for name, sent in closed.items():
        codes = (CLOSED, PROTOCOL) if name == "CONTINUATION" else (CLOSED,)
        yield "5.1", f"closed by END_STREAM: {name}", after_end(sent), stream_error(*codes)
    yield "5.1.1", "stream of an even number", get(2), connection_error(PROTOCOL)
    yield "5.1.1", "stream of a smaller number", get(5) + get(3), connection_error(PROTOCOL)
    yield "5.1.2", "more streams than there may be", too_many, preface_comes
    yield "5.3.1", "HEADERS that depend on themselves", get(flags=END_STREAM | END_HEADERS | PRIO, fields=b"\0\0\0\x01\x10" + block()), stream_error(PROTOCOL)
    yield "5.3.1", "PRIORITY that depends on itself", frame(PRIORITY, 0, 2, b"\0\0\0\x02\x10"), stream_error(PROTOCOL)
    yield "5.4.1", "PING on a stream closes the connection", frame(PING, 0, 3, b"x" * 8), connection_error(PROTOCOL)
    yield "5.5", "extension frame", frame(0xFF, 0, 1, b"x"), alive
    yield "5.5", "extension frame within a field block", open_block + frame(0xFF, 0, 1, b"x") + frame(CONTINUATION, END_HEADERS, 1, halves[1]), connection_error(PROTOCOL)
    yield "6.1", "DATA on stream 0", frame(DATA, END_STREAM, 0, b"x"), connection_error(PROTOCOL)
    yield "6.1", "DATA on a closed stream", after_end(frame(DATA, END_STREAM, 1, b"x")), stream_error(CLOSED)
    yield "6.1", "DATA with more padding than there is", post() + frame(DATA, END_STREAM | PADDED, 1, b"\x06test"), connection_error(PROTOCOL)
    yield "6.2", "HEADERS on stream 0", get(0), connection_error(PROTOCOL)
    yield "6.2", "HEADERS with more padding than there is", get(flags=END_STREAM | END_HEADERS | PADDED, fields=b"\xff" + block()), connection_error(PROTOCOL)
    yield "6.2", "PRIORITY after HEADERS without END_HEADERS", open_block + frame(PRIORITY, 0, 3, b"\0\0\0\0\x10"), connection_error(PROTOCOL)
    yield "6.2", "HEADERS after HEADERS without END_HEADERS", open_block + get(3), connection_error(PROTOCOL)
    yield "6.3", "PRIORITY on stream 0", frame(PRIORITY, 0, 0, b"\0\0\0\x01\x10"), connection_error(PROTOCOL)
    yield "6.3", "PRIORITY of 4 bytes", get() + frame(PRIORITY, 0, 1, b"\x80\0\0\x01"), stream_error(SIZE)
    yield "6.4", "RST_STREAM on stream 0", frame(RST_STREAM, 0, 0, b"\0\0\0\x08"), connection_error(PROTOCOL)
    yield "6.4", "RST_STREAM of an idle stream", rst(), connection_error(PROTOCOL)
    yield "6.4", "RST_STREAM of 3 bytes", post() + frame(RST_STREAM, 0, 1, b"\0\0\0"), connection_error(SIZE)
    yield "6.5", "SETTINGS that acknowledge with a payload", frame(SETTINGS, ACK, 0, b"\0"), connection_error(SIZE)
    yield "6.5", "SETTINGS on a stream", frame(SETTINGS, 0, 1, struct.pack(">HI", 3, 100)), connection_error(PROTOCOL)
    yield "6.5", "SETTINGS of 3 bytes", frame(SETTINGS, 0, 0, b"\0\x03\0"), connection_error(SIZE)
    yield "6.5.2", "ENABLE_PUSH 2", settings((2, 2)), connection_error(PROTOCOL)
    yield "6.5.2", "INITIAL_WINDOW_SIZE 2^31", settings((4, 1 << 31)), connection_error(FLOW)
    yield "6.5.2", "MAX_FRAME_SIZE below 2^14", settings((5, 16383)), connection_error(PROTOCOL)
    yield "6.5.2", "MAX_FRAME_SIZE of 2^24", settings((5, 1 << 24)), connection_error(PROTOCOL)
    yield "6.5.2", "unknown setting", settings((0xFF, 1)), alive
    yield "6.5.3", "two values of INITIAL_WINDOW_SIZE: the last counts", settings((4, 100), (4, 1)) + get(), data_of(1)
    yield "6.5.3", "SETTINGS are acknowledged", settings((3, 100)), settings_acknowledged
    yield "6.7", "PING comes back", b"", alive
    yield "6.7", "PING that acknowledges does not come back", frame(PING, ACK, 0, b"invalid."), alive
    yield "6.7", "PING on a stream", frame(PING, 0, 1, b"x" * 8), connection_error(PROTOCOL)
    yield "6.7", "PING of 6 bytes", frame(PING, 0, 0, b"x" * 6), connection_error(SIZE)
    yield "6.8", "GOAWAY on a stream", frame(GOAWAY, 0, 1, b"\0" * 8), connection_error(PROTOCOL)
    yield "6.9", "WINDOW_UPDATE of 0", window(0, 0), connection_error(PROTOCOL)
    yield "6.9", "WINDOW_UPDATE of 0 on a stream", post() + window(1, 0), stream_error(PROTOCOL)
    yield "6.9", "WINDOW_UPDATE of 3 bytes", frame(WINDOW_UPDATE, 0, 0, b"\0\0\x01"), connection_error(SIZE)
    yield "6.9.1", "no more than the window is sent", (small, get()), data_of(1)
    yield "6.9.1", "window beyond 2^31-1", window(0, 0x7FFFFFFF) * 2, connection_error(FLOW)
    yield "6.9.1", "window of a stream beyond 2^31-1", post() + window(1, 0x7FFFFFFF) * 2, stream_error(FLOW)
    yield "6.9.2", "window that grows by a setting", (((4, 0),), window_grows), preface_comes
    yield "6.9.2", "window below zero", (((4, 3),), window_below_zero), preface_comes
    yield "6.9.2", "window beyond 2^31-1 by a setting", settings((4, 1 << 31)), connection_error(FLOW)
    yield "6.10", "CONTINUATION, several", open_block + frame(CONTINUATION, 0, 1, halves[1]) + frame(CONTINUATION, END_HEADERS, 1, field("x", "y")), answered
    yield "6.10", "CONTINUATION, then another frame", open_block + frame(CONTINUATION, 0, 1, halves[1]) + frame(DATA, END_STREAM, 1, b"x"), connection_error(PROTOCOL)
    yield "6.10", "CONTINUATION on stream 0", open_block + frame(CONTINUATION, END_HEADERS, 0, halves[1]), connection_error(PROTOCOL)
    yield "6.10", "CONTINUATION after END_HEADERS", get() + frame(CONTINUATION, END_HEADERS, 1, field("x", "y")), connection_error(PROTOCOL)
    yield "6.10", "CONTINUATION after CONTINUATION with END_HEADERS", open_block + frame(CONTINUATION, END_HEADERS, 1, halves[1]) * 2, connection_error(PROTOCOL)
    yield "6.10", "CONTINUATION after DATA", post() + frame(DATA, 0, 1, b"x") + frame(CONTINUATION, END_HEADERS, 1, field("x", "y")), connection_error(PROTOCOL)
    yield "7", "GOAWAY with an unknown code", frame(GOAWAY, 0, 0, b"\0\0\0\0\0\0\0\xff"), lambda c: alive_or_closed(c)
    yield "7", "RST_STREAM with an unknown code", post() + rst(0xFF), alive
    yield "8.1", "second HEADERS without END_STREAM", post() + frame(HEADERS, END_HEADERS, 1, field("x", "y")), stream_error(PROTOCOL)
    yield "8.1.2", "field name in capitals", request(("X-TEST", "ok")), stream_error(PROTOCOL)
    yield "8.1.2.1", "unknown pseudo-header field", request((":test", "ok")), stream_error(PROTOCOL)
    yield "8.1.2.1", "pseudo-header field of responses", request((":status", "200")), stream_error(PROTOCOL)
    yield "8.1.2.1", "pseudo-header field in trailers", trailers(field(":method", "GET")), stream_error(PROTOCOL)
    yield "8.1.2.1", "pseudo-header field after another", get(fields=field("x-test", "ok") + block()), stream_error(PROTOCOL)
    yield "8.1.2.2", "field of the connection", request(("connection", "keep-alive")), stream_error(PROTOCOL)
    yield "8.1.2.2", "te: trailers, deflate", request(("te", "trailers, deflate")), stream_error(PROTOCOL)
    yield "8.1.2.3", "empty :path", get(fields=block(without=[":path"]) + field(":path", "")), stream_error(PROTOCOL)
    for name in (":method", ":scheme", ":path"):
        yield "8.1.2.3", f"without {name}", request(without=[name]), stream_error(PROTOCOL)
    for name in (":method", ":scheme", ":path"):
        yield "8.1.2.3", f"two {name}", doubled(name), stream_error(PROTOCOL)
    yield "8.1.2.6", "content-length that is not the body's", post(1, ("content-length", "1")) + frame(DATA, END_STREAM, 1, b"test"), stream_error(PROTOCOL)
    yield "8.1.2.6", "content-length that is not that of several DATA", post(1, ("content-length", "1")) + frame(DATA, 0, 1, b"test") + frame(DATA, END_STREAM, 1, b"test"), stream_error(PROTOCOL)
    yield "8.2", "PUSH_PROMISE of a client", frame(PUSH_PROMISE, END_HEADERS, 1, b"\0\0\0\x02" + block()), connection_error(PROTOCOL)
    hpack = connection_error(COMPRESSION)
    yield "hpack 2.3.3", "index beyond the tables", get(fields=block() + b"\xc6"), hpack
    yield "hpack 2.3.3", "name's index beyond the tables", get(fields=block() + b"\x7f\x07\x02ok"), hpack
    yield "hpack 4.2", "table size at the end of a block", get(fields=block() + b"\x21"), hpack
    yield "hpack 5.2", "Huffman padding of more than 7 bits", get(fields=block() + b"\x00\x85\xf2\xb2\x4a\x84\xff\x84\x49\x50\x9f\xff"), hpack
    yield "hpack 5.2", "Huffman padding of zeros", get(fields=block() + b"\x00\x85\xf2\xb2\x4a\x84\xff\x83\x49\x50\x90"), hpack
    yield "hpack 5.2", "Huffman code with EOS", get(fields=block() + b"\x00\x85\xf2\xb2\x4a\x84\xff\x87\x49\x51\xff\xff\xff\xfa\x7f"), hpack
    yield "hpack 6.1", "index 0", get(fields=block() + b"\x80"), hpack
    yield "hpack 6.3", "table larger than SETTINGS say", get(fields=b"\x3f\xe1\xff\x03" + block()), hpack
    # What a client may do, and some do: the section `generic`.
    for method in ("GET", "HEAD", "POST", "OPTIONS"):
        yield "generic", f"{method} request", request(method=method), answered
    yield "generic", "request with padding", get(flags=END_STREAM | END_HEADERS | PADDED, fields=b"\x04" + block() + b"\0" * 4), answered
    yield "generic", "request with priority", get(flags=END_STREAM | END_HEADERS | PRIO, fields=b"\0\0\0\0\x10" + block()), answered
    yield "generic", "request with body and trailers", post() + frame(DATA, 0, 1, b"test") + trailers(field("x-test", "ok"))[len(post()):], answered
    yield "generic", "PRIORITY of an idle stream", frame(PRIORITY, 0, 5, b"\0\0\0\x01\xff") + get(), answered
    yield "generic", "WINDOW_UPDATE, PING, two requests", window(0, 100) + frame(PING, 0, 0, b"x" * 8) + get() + get(3), lambda c: answered(c, 3)
    yield "generic", "fields of every kind of representation", get(fields=b"\x82\x86\x04" + bytes([len(PATH)]) + PATH.encode() + b"\x41\x09localhost\x40\x01x\x01y\x10\x01z\x01y\xbe"), answered


def alive_or_closed(connection):
    try:
        alive(connection)
    except AssertionError as why:
        if "closed" not in str(why) and "NO_ERROR" not in str(why):
            raise


def main():
    global HOST, PORT, PATH
    HOST, PORT, PATH = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    sections, failed, others = {}, [], []
    for section, what, sent, look in checks():
        try:
            if sent == "preface":
                connection = Connection(preface=b"INVALID CONNECTION PREFACE\r\n\r\n")
            else:
                pairs, sent = sent if isinstance(sent, tuple) else ((), sent)
                connection = Connection(*pairs)
                sent(connection) if callable(sent) else connection.send(sent)
            other, result = look(connection), None
            if other:
                others.append(f"{section}: {what}: {other}")
        except (AssertionError, TimeoutError) as why:
            result = str(why) or "nothing came"
        finally:
            connection.socket.close()
        passed, total = sections.get(section, (0, 0))
        sections[section] = passed + (result is None), total + 1
        if result is not None:
            failed.append(f"{section}: {what}: {result}")
    for section, (passed, total) in sections.items():
        print(f"{section:12} {passed:3} of {total}")
    print(f"{'all':12} {sum(p for p, _ in sections.values()):3} of {sum(t for _, t in sections.values())}")
    for line in [f"failed: {line}" for line in failed] + [f"another code: {line}" for line in others]:
        print(line)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
