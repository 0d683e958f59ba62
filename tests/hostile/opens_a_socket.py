import socket


def reach(host, port):
    try:
        socket.create_connection((host, port), timeout=1).close()
        return True
    except OSError:
        return False


answer = 987654322 if reach("192.0.2.1", 80) else 0
